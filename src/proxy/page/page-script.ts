/**
 * The only script of the page. It puts the parts that the server sends in place of the old ones, and keeps rows open.
 * The page is complete without it.
 */
export const PAGE_SCRIPT = `
document.getElementById('still').hidden = true;
const connection = document.getElementById('connection');
const say = (state) => {
  connection.dataset.state = state;
  connection.textContent = { live: 'live', lost: 'not connected, trying again', ended: 'ended: these are the last numbers' }[state];
};
const keyOf = (element) => element.closest('[data-key]')?.dataset.key;
const replace = (id, text) => {
  const part = document.getElementById(id);
  if (part === null) return;
  const open = new Set([...part.querySelectorAll('details[open]')].map(keyOf));
  const focused = part.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
  part.innerHTML = text;
  for (const row of part.querySelectorAll('details')) {
    row.open = open.has(row.dataset.key);
    if (focused !== undefined && row.dataset.key === focused) row.querySelector('summary').focus();
  }
};
const events = new EventSource('events');
events.addEventListener('open', () => say('live'));
events.addEventListener('error', () => say('lost'));
events.addEventListener('parts', ({ data }) => {
  for (const [id, text] of Object.entries(JSON.parse(data))) replace(id, text);
});
events.addEventListener('end', () => {
  events.close();
  say('ended');
});
`;
