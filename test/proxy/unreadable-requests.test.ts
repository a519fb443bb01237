import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { UpstreamServer } from './upstream-server.ts';

const upstream = new UpstreamServer();
let base: URL;
beforeAll(async () => {
  base = await upstream.start();
});
afterAll(() => upstream.stop());
let proxy: RunningProxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

/** Everything that comes back for these bytes until the connection ends. */
async function answerTo(bytes: string, options: Partial<ProxyOptions> = {}): Promise<string> {
  proxy ??= await startProxy({ mounts: [{ path: '', upstream: base }], token: 'tok', ...options });
  const socket = connect(proxy.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

const HOST = 'Host: 127.0.0.1\r\n';
const START = 'POST /tok/v1/messages HTTP/1.1\r\n';

test.each([
  ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, '405 '],
  ['two lengths of a body', `${START}${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, '400 '],
  ['what is no HTTP', 'hello\r\n\r\n', '400 '],
  ['headers without an end', `${START}${HOST}x: ${'y'.repeat(200_000)}\r\n\r\n`, '431 '],
])('%s is refused at once', async (_name, bytes, status) => {
  expect(await answerTo(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status}.*\\r\\nConnection: close\\r\\n`));
});

test('what is no request does not get into an answer that runs', async () => {
  upstream.answer = (response) => response.writeHead(200, { 'content-length': '99' }).write('start');
  const request = `POST /tok/v1/other HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 2\r\n\r\n{}`;
  proxy = await startProxy({ mounts: [{ path: '', upstream: base }], token: 'tok' });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(request.replace('PORT', String(proxy.port)));
  let text = '';
  socket.setEncoding('utf8');
  for await (const part of socket) {
    if (!text.includes('start') && `${text}${part}`.includes('start')) socket.write('hello\r\n\r\n');
    text += part;
  }
  expect(text).toMatch(/start$/);
});

test.each(['//', '/%zz/models/%zz:generateContent', '/models/%E0%A4%A:generateContent', '/x?y=/%'])(
  'no path ends the process of a proxy with a door: %s',
  async (path) => {
    const door: ProxyOptions['door'] = async () => ({ kind: 'unauthorized', message: 'Who is it?' });
    expect(await answerTo(`POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`, { door })).toMatch(
      /^HTTP\/1.1 401 /,
    );
  },
);

test('a fault at the door is an answer, and is told', async () => {
  const troubles: string[] = [];
  const door: ProxyOptions['door'] = () => Promise.reject(new Error('a bug'));
  const options = { door, onTrouble: (what: string) => void troubles.push(what) };
  expect(await answerTo(`GET / HTTP/1.1\r\n${HOST}\r\n`, options)).toMatch(/^HTTP\/1.1 500 /);
  expect(troubles).toEqual(['a request could not be answered (a bug)']);
});
