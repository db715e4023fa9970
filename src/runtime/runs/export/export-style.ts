/** The style of an exported run: the colours and sizes of the web app, for both themes and for paper. */
export const EXPORT_STYLE = `
:root{color-scheme:light dark;--bg:#f7f7f5;--surface:#fff;--line:#e4e3df;--line-2:#cfcdc6;--ink:#1d1d1b;--ink-2:#5c5b56;--accent:#2f5bd7;--model:#7a5af0;
--ok:#177745;--ok-soft:#e3f3ea;--wait:#8a5109;--wait-soft:#fbf0dc;--bad:#b3261e;--bad-soft:#fbe9e7;--mono:ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--bg:#131412;--surface:#1a1b19;--line:#2c2e2a;--line-2:#41443e;--ink:#ecebe6;--ink-2:#b3b1a8;--accent:#8aa9ff;--model:#a995ff;
--ok:#63c795;--ok-soft:#15301f;--wait:#e3b160;--wait-soft:#352a14;--bad:#ff8f85;--bad-soft:#3a1d1a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1080px;padding:16px;font:13px/1.45 ui-sans-serif,system-ui,"Segoe UI","Noto Sans",sans-serif;color:var(--ink);background:var(--bg);font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1{font-size:20px;margin:0;font-weight:650;letter-spacing:-.01em}h2{font-size:15px;margin:24px 0 8px;font-weight:650}h3{font-size:13px;margin:0;font-weight:650}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,.mono{font-family:var(--mono);font-size:12px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:12px 16px}
.check{border:1px solid var(--line-2);background:var(--surface);border-radius:8px;padding:12px 16px;margin-bottom:20px}
.check ul{margin:4px 0 0;padding-left:18px;color:var(--ink)}
.check.ok{border-color:var(--ok);background:var(--ok-soft)}.check.ok strong{color:var(--ok)}
.check.bad{border-color:var(--bad);background:var(--bad-soft)}.check.bad strong{color:var(--bad)}
.check.wait{border-color:var(--wait);background:var(--wait-soft)}
.facts{display:flex;flex-wrap:wrap;gap:4px 20px;margin:8px 0 0;padding:0;color:var(--ink-2);font-size:12px;align-items:center}.facts b{color:var(--ink);font-weight:600}
.chip{display:inline-block;padding:1px 8px;border-radius:10px;font-size:12px;font-weight:600;white-space:nowrap;color:var(--ink-2);background:var(--line)}
.chip.ok{color:var(--ok);background:var(--ok-soft)}.chip.wait{color:var(--wait);background:var(--wait-soft)}.chip.bad{color:var(--bad);background:var(--bad-soft)}
.row{display:grid;grid-template-columns:minmax(0,220px) minmax(0,1fr) 76px 64px;gap:8px;align-items:center;min-height:26px}
.row>span{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.row>span:nth-child(n+3){text-align:right;color:var(--ink-2);font-size:12px}
.row svg{width:100%;height:12px;display:block}.row.head{color:var(--ink-2);font-size:12px}.lane{fill:var(--line);opacity:.6}.tool{fill:var(--accent)}.model{fill:var(--model)}.failed{fill:var(--bad)}.waiting{fill:var(--wait)}
details{border-top:1px solid var(--line);padding:6px 0}details:first-child{border-top:0}summary{cursor:pointer}
summary .chip{margin-left:8px}summary .why{display:block;color:var(--ink-2);padding-left:16px}
dl{display:grid;grid-template-columns:88px minmax(0,1fr);gap:6px 12px;margin:8px 0 8px 16px}dt{color:var(--ink-2)}dd{margin:0;unicode-bidi:isolate}
.code{font:12px/1.55 var(--mono);white-space:pre-wrap;background:var(--bg);border:1px solid var(--line);border-radius:6px;padding:6px 10px;max-height:420px;overflow:auto;unicode-bidi:isolate}
.story{margin:0;padding-left:20px}.story li{margin:4px 0;white-space:pre-wrap;unicode-bidi:isolate}
table{width:100%;border-collapse:collapse;font-size:12px}th{text-align:left;font-weight:600;color:var(--ink-2)}th,td{padding:3px 8px 3px 0;vertical-align:top;border-bottom:1px solid var(--line)}td:first-child,th:first-child{text-align:right;padding-right:12px}
.muted{color:var(--ink-2)}.child{margin-left:0;border-left:3px solid var(--line-2);padding-left:14px}
@media (max-width:760px){.row{grid-template-columns:minmax(0,1fr) minmax(0,1fr) 60px}.row>span:nth-child(4){display:none}dl{grid-template-columns:minmax(0,1fr);margin-left:0}.wide{display:none}}
@media print{body{background:#fff;max-width:none}.code{max-height:none}}
`;
