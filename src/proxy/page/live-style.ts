/** What the live page has beyond the style of reports. No style stands in an attribute: the page's policy forbids it. */
export const LIVE_STYLE = `
a{color:var(--accent)}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.in{display:block;font-size:.6em;font-weight:500;letter-spacing:0;color:var(--muted);margin-top:6px}
#connection{white-space:nowrap}
#connection[data-state=live]{color:var(--accent);font-weight:600}
#connection[data-state=live]::before{content:"";display:inline-block;width:8px;height:8px;border-radius:50%;background:var(--accent);margin-right:6px}
#connection[data-state=lost],#connection[data-state=ended]{color:var(--threshold);font-weight:600}
.talks{display:grid;gap:20px;grid-template-columns:repeat(auto-fill,minmax(min(100%,460px),1fr))}
.talk{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:16px 18px;min-width:0}
.talk h3{margin-bottom:6px;overflow-wrap:anywhere}
.talk h3 small{display:block;font-weight:400}
.fill{margin-bottom:8px;overflow-wrap:anywhere}
.window{display:block;width:100%;height:10px;background:var(--track);border-radius:5px}
.window .used{fill:var(--accent)}
.window .spared{fill:var(--accent);fill-opacity:.35}
.prompts{margin-top:16px}
.prompts svg{display:block;width:100%;height:100px;border-bottom:1px solid var(--rule)}
.prompts path{fill:none;vector-effect:non-scaling-stroke}
.prompts .area{fill:var(--wash)}
.prompts svg .sent{stroke:var(--accent);stroke-width:2}
.prompts svg .other{stroke:var(--muted);stroke-width:1.5;stroke-dasharray:5 4}
.line{display:inline-block;width:18px;height:0;vertical-align:middle;margin-right:6px;border-top:2px solid var(--accent)}
.line.other{border-top:2px dashed var(--muted)}
.key{display:inline-block;margin-right:12px}
.piece{border-top:1px solid var(--rule)}
.piece>summary{padding:9px 0}
.rows{border-bottom:1px solid var(--rule)}
.piece .note+.note{margin-top:4px}
pre{margin:24px 0 0}
`;
