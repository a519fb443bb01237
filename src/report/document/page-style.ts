import { PLOT_HEIGHT } from '../charts/scale.ts';
import { STALL_HEIGHT } from '../charts/stall-chart.ts';

/** Colours of the page as hexadecimal values. */
export interface Palette {
  readonly paper: string;
  /** Background of cards, tables and code. */
  readonly card: string;
  readonly ink: string;
  readonly muted: string;
  /** Thin separating lines. */
  readonly rule: string;
  /** The empty part of a bar. */
  readonly track: string;
  readonly accent: string;
  /** The area below the chosen curve. */
  readonly wash: string;
  readonly limit: string;
  readonly threshold: string;
  /** Curves, in the order of the strategies. */
  readonly curves: readonly [string, string, string, string, string];
}

export const LIGHT: Palette = {
  paper: '#faf9f6',
  card: '#ffffff',
  ink: '#1b1d21',
  muted: '#585d66',
  rule: '#e0ded7',
  track: '#ebe9e3',
  accent: '#0b6a57',
  wash: '#dcebe5',
  limit: '#b0281f',
  threshold: '#75570a',
  curves: ['#5c6370', '#1d5bb5', '#0b6a57', '#6a41b8', '#ad2457'],
};

export const DARK: Palette = {
  paper: '#14161a',
  card: '#1c1f24',
  ink: '#eceef1',
  muted: '#a9afb9',
  rule: '#2f343b',
  track: '#2a2f36',
  accent: '#55d0b1',
  wash: '#1b352f',
  limit: '#ff8f85',
  threshold: '#e2ba52',
  curves: ['#a6adb9', '#8db8ff', '#55d0b1', '#b9a0f7', '#f58fae'],
};

/** The palette as CSS variables. */
const variablesOf = ({ curves, ...colors }: Palette): string =>
  [
    ...Object.entries(colors).map(([name, value]) => `--${name}:${value}`),
    ...curves.map((value, index) => `--curve-${index}:${value}`),
  ].join(';');

/** The style sheet of the page: light and dark by the reader's choice, one column up to 720 pixels, light in print. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;${variablesOf(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variablesOf(DARK)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
main,header,footer{max-width:1120px;margin:0 auto;padding:0 clamp(16px,4vw,48px)}
header{padding-top:clamp(28px,6vw,64px)}
h1,h2,h3,h4,h5,p,ul,ol,figure,pre,table{margin:0;padding:0}
ul,ol{list-style:none}
h1{font-size:clamp(1.4rem,1rem + 1.6vw,1.95rem);line-height:1.2;text-wrap:balance;font-weight:680;letter-spacing:-.015em;overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.3;font-weight:660;letter-spacing:-.01em}
h3{font-size:.95rem;font-weight:640;margin-bottom:10px}
h5{font-size:.8rem;font-weight:600;color:var(--muted);margin:12px 0 4px}
small{font-size:.8125rem;color:var(--muted)}
.eyebrow{font-size:.8125rem;font-weight:640;letter-spacing:.06em;color:var(--accent);margin-bottom:8px}
.facts{color:var(--muted);text-wrap:pretty;margin-top:10px;overflow-wrap:anywhere}
.lead{color:var(--muted);text-wrap:pretty;max-width:68ch;margin:4px 0 22px;overflow-wrap:anywhere}
.note{color:var(--muted);font-size:.875rem;margin-top:8px;overflow-wrap:anywhere}
.notice{border-left:3px solid var(--threshold);padding:2px 0 2px 12px;margin-top:14px;font-size:.9rem;max-width:80ch;overflow-wrap:anywhere}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
section{margin-top:clamp(44px,6vw,72px)}
.tiles{display:flex;flex-wrap:wrap;gap:1px;margin-top:28px;background:var(--rule);border:1px solid var(--rule);border-radius:12px;overflow:hidden}
.tiles div{flex:1 1 150px;background:var(--card);padding:16px 18px}
.tiles dt{font-size:.8125rem;color:var(--muted)}
.tiles dd{margin:2px 0 0;font-size:clamp(1.4rem,1.1rem + 1.2vw,1.9rem);line-height:1.2;font-weight:660;letter-spacing:-.02em}
.tiles small{display:block;text-wrap:pretty;margin-top:4px;line-height:1.4;font-weight:400;letter-spacing:0}
.plot{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:8px;font-size:.75rem;color:var(--muted)}
.values{position:relative;width:3.8em;height:${PLOT_HEIGHT}px}
.values span{position:absolute;right:0;transform:translateY(50%);line-height:1;white-space:nowrap}
.field{position:relative;height:${PLOT_HEIGHT}px;border-bottom:1px solid var(--muted)}
.stalls .values,.stalls .field{height:${STALL_HEIGHT}px}
.drawing{position:absolute;inset:0;width:100%;height:100%;overflow:hidden}
.drawing path{fill:none;vector-effect:non-scaling-stroke}
.drawing .grid{stroke:var(--rule);stroke-width:1}
.drawing .curve{stroke:currentColor;stroke-width:1.75;stroke-linejoin:round}
.drawing .chosen{stroke-width:2.75}
.drawing .area{fill:var(--wash)}
.drawing .limit{stroke:var(--limit);stroke-width:1.5}
.drawing .threshold{stroke:var(--threshold);stroke-width:1.5;stroke-dasharray:6 4}
.drawing .bars path{fill:var(--accent)}
.symbol{position:absolute;width:14px;height:14px;margin:0 0 -7px -7px}
.symbol path{fill:currentColor;stroke:var(--paper);stroke-width:1.5;paint-order:stroke}
.level{position:absolute;left:6px;max-width:calc(100% - 12px);padding:0 5px;margin-bottom:2px;line-height:16px;font-weight:600;border-radius:4px;background:var(--paper);white-space:nowrap}
.level.right{left:auto;right:6px}
.level.limit{color:var(--limit)}
.level.threshold{color:var(--threshold)}
.frontier .name{position:absolute;line-height:16px;padding:0 2px;border-radius:3px;background:var(--paper);color:var(--ink);white-space:nowrap}
.frontier .name.right{margin-left:9px}
.frontier .name.left{margin-right:9px}
.symbols .symbol{position:static;margin:0}
.balances{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:36px 56px}
.costs{break-inside:avoid}
.costs h3{margin-bottom:0}
.costs ul{margin-top:8px}
.costs li{display:grid;grid-template-columns:9.5em minmax(0,1fr) 4.6em;column-gap:12px;align-items:center;padding:3px 0;font-size:.9rem}
.costs .name{overflow-wrap:anywhere}
.costs .amount{text-align:right;white-space:nowrap}
.parts{margin-top:20px}
.swatch{margin-right:10px}
.balance{display:block;width:100%;height:10px;background:var(--track)}
.balance .less{fill:var(--accent)}
.balance .more{fill:var(--limit)}
.balance .middle{fill:none;stroke:var(--ink);stroke-width:1;vector-effect:non-scaling-stroke}
.calls{grid-column:2;position:relative;height:20px;margin-top:6px;line-height:1.4}
.calls span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.calls .first{left:0;transform:none}
.calls .last{right:0;transform:none}
.key{display:inline-block;vertical-align:middle;margin-right:10px;line-height:0}
.key .line{fill:none;stroke:currentColor;stroke-width:2.25}
.key .dot{fill:currentColor}
.figures{width:100%;border-collapse:collapse;margin-top:20px;font-size:.9rem}
.figures th,.figures td{padding:9px 0 9px 16px;text-align:right;border-bottom:1px solid var(--rule);vertical-align:top}
.figures th:first-child{padding-left:0;text-align:left;font-weight:500}
.figures thead th{color:var(--muted);font-size:.8125rem;font-weight:500;vertical-align:bottom}
.figures .chosen th,.figures .chosen td{font-weight:680}
.columns{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:36px 56px}
.columns>div{display:grid;gap:36px;align-content:start;grid-template-columns:minmax(0,1fr)}
.shares li{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:16px;padding:7px 0}
.shares .name{overflow-wrap:anywhere}
.shares .folder{color:var(--muted)}
.shares .amount{text-align:right;white-space:nowrap}
.shares .amount small{display:inline-block;min-width:3.2em}
.bar{grid-column:1/-1;height:6px;margin-top:4px;border-radius:3px;background:var(--track);overflow:hidden}
.bar i{display:block;height:100%;border-radius:3px;background:var(--accent)}
.detail{grid-column:1/-1}
.findings li{padding:7px 0 7px 18px;position:relative}
.findings li::before{content:"";position:absolute;left:2px;top:1.02em;width:7px;height:7px;border-radius:50%;background:var(--accent)}
.ledger{margin-top:28px}
.step{display:grid;grid-template-columns:168px minmax(0,1fr);gap:4px 32px;padding:18px 0;border-top:1px solid var(--rule)}
.step h4{font-size:.95rem;font-weight:640;line-height:1.5}
.step h4 small{display:block;font-weight:400}
.piece>summary,.fold>summary{cursor:pointer;list-style:none;border-radius:6px}
summary::-webkit-details-marker{display:none}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.piece>summary{display:grid;grid-template-columns:14px 112px minmax(0,1fr) auto;column-gap:10px;align-items:baseline;padding:6px 0}
.piece>summary::before,.fold>summary::before{content:"▸";color:var(--muted);font-size:.75rem}
.piece[open]>summary::before,.fold[open]>summary::before{content:"▾"}
.piece>summary:hover .what,.fold>summary:hover{text-decoration:underline;text-underline-offset:3px}
.badge{display:inline-block;justify-self:start;font-size:.75rem;line-height:1.5;padding:0 7px;border:1px solid var(--rule);border-radius:999px;color:var(--muted);background:var(--card);white-space:nowrap}
.what{overflow-wrap:anywhere}
.piece .amount{font-weight:600;white-space:nowrap}
.reason{grid-column:3/-1;text-wrap:pretty;overflow-wrap:anywhere}
header .fold{margin-top:10px}
.fold>summary{padding:6px 0;color:var(--muted);font-size:.9rem}
.fold>summary::before{margin-right:10px}
pre{margin:4px 0 0 24px;padding:12px 14px;background:var(--card);border:1px solid var(--rule);border-radius:8px;font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;white-space:break-spaces;overflow-wrap:anywhere;tab-size:2}
.piece h5,.piece .note{margin-left:24px}
.piece[open]{padding-bottom:14px}
footer{margin-top:clamp(48px,7vw,84px);padding-top:20px;padding-bottom:48px;font-size:.875rem;color:var(--muted)}
footer p{max-width:80ch;overflow-wrap:anywhere}
@media screen and (max-width:720px){
.costs li{grid-template-columns:7.5em minmax(0,1fr) 4.2em;column-gap:8px}
.columns{grid-template-columns:minmax(0,1fr)}
.step{grid-template-columns:minmax(0,1fr)}
.piece>summary{grid-template-columns:14px minmax(0,1fr) auto}
.piece>summary .badge{grid-column:2;grid-row:1}
.piece>summary .amount{grid-column:3;grid-row:1}
.piece>summary .what,.reason{grid-column:2/-1}
.figures thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.figures,.figures tbody,.figures tr,.figures th,.figures td{display:block}
.figures tr{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 20px;padding:12px 0;border-bottom:1px solid var(--rule)}
.figures tbody th{grid-column:1/-1;padding:0 0 6px;border:0}
.figures td{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:8px;padding:2px 0;border:0;font-size:.875rem}
.figures td::before{content:attr(data-name);color:var(--muted);font-weight:400}
}
@media print{
:root{color-scheme:light;${variablesOf(LIGHT)};--paper:#ffffff}
body{font-size:10.5pt}
main,header,footer{max-width:none;padding-left:4px;padding-right:4px}
header{padding-top:0}
section{margin-top:28pt}
.bar,.bar i,.balance,.swatch,.drawing,.symbol,.key,.tiles,.findings li::before{print-color-adjust:exact;-webkit-print-color-adjust:exact}
figure,.tiles,.shares li,.piece>summary,tr{break-inside:avoid}
h2,h3,h4,.lead{break-after:avoid}
}
`;
