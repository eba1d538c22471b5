/**
 * The style sheet of the site, and of the pages that a server puts around it. Colours have a contrast of at
 * least 4.5 to 1.
 */
export const siteStyle = `:root {
  color-scheme: light dark;
  --ground: #f6f5f2; --paper: #fff; --ink: #20242a; --quiet: #5a626c; --edge: #d8d5cd; --rim: #7b7f86;
  --accent: #0a5a66; --on-accent: #fff; --tint: #e4f1f2; --warn: #fdf1d3; --warn-edge: #b77b06;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --paper: #1d2125; --ink: #e8eaec; --quiet: #a6aeb7; --edge: #343a41; --rim: #7d858e;
    --accent: #7cd0da; --on-accent: #06262b; --tint: #17343a; --warn: #3a2f12; --warn-edge: #d6a53c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
.inner { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
.bar { background: var(--paper); border-bottom: 1px solid var(--edge); }
.bar .inner { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; min-height: 3.25rem; }
.brand { margin-right: auto; font-weight: 700; letter-spacing: -.01em; color: var(--accent); }
.steps { color: var(--quiet); font-variant-numeric: tabular-nums; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; padding: .5rem 1rem; border-radius: .5rem; background: var(--paper); }
a { color: var(--accent); }
.instruction, .notice { max-width: none; margin: 1rem 0 0; padding: .75rem 1rem; border-radius: .625rem; }
.instruction { background: var(--tint); }
.notice { border: 1px solid var(--warn-edge); background: var(--warn); }
nav.row { margin-top: 1rem; }
main { margin: 1rem 0 3rem; padding: 1.25rem; border: 1px solid var(--edge); border-radius: .875rem; background: var(--paper); }
main:focus { outline: none; }
main > :first-child { margin-top: 0; }
main > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.0625rem; line-height: 1.4; }
p { margin: 0 0 .75rem; max-width: 46rem; }
.of { color: var(--quiet); }
.text { white-space: pre-line; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
button, input { font: inherit; }
button { min-height: 2.5rem; padding: .375rem .875rem; border: 1px solid var(--rim); border-radius: .5rem; background: var(--paper); color: inherit; text-align: start; overflow-wrap: anywhere; cursor: pointer; }
button:hover { border-color: var(--accent); background: var(--tint); }
button.main, button[aria-pressed="true"] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.main { padding-inline: 1.5rem; }
button.main:hover { text-decoration: underline; }
button[aria-pressed="true"]::before { content: "\\2713\\a0"; content: "\\2713\\a0" / ""; }
button.link { padding-inline: 0; border: 0; background: none; color: var(--accent); text-decoration: underline; font-variant-numeric: tabular-nums; }
button.link:hover { text-decoration-thickness: 2px; }
.gone { padding: .375rem 0; color: var(--quiet); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
label { display: block; margin-bottom: .375rem; font-weight: 600; }
.field { display: flex; flex-wrap: wrap; gap: .5rem; max-width: 46rem; }
input[type="search"], input[type="number"] { min-width: 0; min-height: 2.5rem; padding: .375rem .75rem; border: 1px solid var(--rim); border-radius: .5rem; background: var(--paper); color: inherit; }
input[type="search"] { flex: 1 1 12rem; }
.find { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem; margin-right: auto; padding: .375rem 0; }
.find label { margin: 0; font-weight: 400; color: var(--quiet); }
input[type="number"] { width: 8rem; }
.products { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none; }
.products li { display: flex; flex-direction: column; padding: .875rem 1rem; border: 1px solid var(--edge); border-radius: .625rem; }
.products h2 { margin: 0 0 .375rem; font-size: 1rem; font-weight: 500; }
.products .price { margin-top: auto; margin-bottom: 0; }
.products .open { margin: 0; }
.price { font-weight: 700; font-variant-numeric: tabular-nums; }
.seen { color: var(--quiet); font-size: .875rem; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: .375rem; font-weight: 600; }
section.row { padding-top: 1rem; border-top: 1px solid var(--edge); }
.buy { margin: 1rem 0 0; }
.review { padding: .875rem 0; border-top: 1px solid var(--edge); }
.review h2 { margin-top: 0; }
ul { padding-left: 1.25rem; }
dl { margin: 0 0 .75rem; max-width: 30rem; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .375rem 0; border-bottom: 1px solid var(--edge); }
dt { color: var(--quiet); }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; text-align: end; }
.score { margin: 0; font-size: 2.25rem; font-weight: 700; line-height: 1.2; }
.goals { margin: 1rem 0; padding: 0; list-style: none; }
.goals li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .75rem 0; border-top: 1px solid var(--edge); }
.goals p { flex: 1 1 16rem; max-width: none; margin: 0; }
.goals button { min-width: 7rem; text-align: center; }
.pick, .pick form { align-items: center; gap: .5rem; }
.pick { gap: .75rem 1.5rem; }
.pick label { margin: 0; }
nav a { padding: .375rem 0; margin-right: .75rem; }
nav a[aria-current] { color: inherit; font-weight: 700; text-decoration: none; }
`;
