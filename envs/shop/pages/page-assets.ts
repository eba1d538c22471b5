/** The style sheet of the shop's pages, for the server that shows them. */
export const shopStyle = `:root { color-scheme: light dark; --accent: light-dark(#0b5f8a, #74c4f0); --on-accent: light-dark(#fff, #04151f); --edge: color-mix(in srgb, currentColor 20%, transparent); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
form { display: inline-block; margin: 0 .5rem .5rem 0; }
nav { margin: .5rem 0; }
#instruction-text { padding: .75rem 1rem; border-left: .3rem solid var(--accent); background: color-mix(in srgb, var(--accent) 8%, Canvas); font-weight: 400; }
.start h1 { margin-top: 12vh; font-size: 2.2rem; text-align: center; }
.start form { display: flex; gap: .5rem; margin: 1.5rem 0; }
#search_input { flex: 1; min-width: 0; padding: .6rem .8rem; border: 1px solid var(--edge); border-radius: .4rem; font: inherit; }
.btn, .choose { padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .4rem; background: Canvas; color: inherit; font: inherit; cursor: pointer; }
.btn:hover, .start .btn, .purchase { background: var(--accent); color: var(--on-accent); }
.purchase { padding: .7rem 2rem; font-weight: 600; }
.choose::after { content: "Choose"; }
.products { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
.products li, fieldset, .review { border: 1px solid var(--edge); border-radius: .6rem; padding: 1rem; }
.products h2 { margin: .3rem 0; font-weight: 400; }
.product-link { padding: 0; border: 0; background: none; color: var(--accent); font: inherit; font-weight: 600; text-decoration: underline; cursor: pointer; }
.product-link[data-visited] { color: VisitedText; }
.price { font-weight: 600; }
fieldset { margin: 0; }
legend { padding: 0 .4rem; font-weight: 600; }
input[type="radio"] { position: absolute; opacity: 0; }
label { display: inline-block; margin: .2rem; padding: .3rem .8rem; border: 1px solid var(--edge); border-radius: 1rem; cursor: pointer; }
input[type="radio"]:checked + label { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.review { margin: 1rem 0; }
.stars::after { content: " / 5"; }
output { display: block; font-size: 2rem; }
:focus-visible, input[type="radio"]:focus-visible + label { outline: .2rem solid var(--accent); outline-offset: .1rem; }
@media (scripting: enabled) { .choose { position: absolute; clip-path: inset(50%); } .choose:focus-visible { position: static; clip-path: none; } }
`;

/** The script of the shop's pages: picking an option value chooses it at once, but for those who move by the keyboard and have the button. */
export const shopScript = `let typed = false;
document.addEventListener('keydown', () => { typed = true; });
document.addEventListener('pointerdown', () => { typed = false; });
document.addEventListener('change', ({ target }) => {
  if (!typed && target instanceof HTMLInputElement && target.type === 'radio') target.form.requestSubmit();
});
`;
