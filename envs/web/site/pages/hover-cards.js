core.page(() => {
  const secrets = core.some(words.nouns, 6);
  const wanted = core.sample(secrets);
  core.ask(
    `Each card shows a word while the mouse is over it. Click the card with "${wanted}".`,
    `Find the card that hides the word "${wanted}" by hovering over the cards, and click it.`,
  );
  const cards = secrets.map((secret, index) => {
    const card = ui.make(
      'button',
      { type: 'button', class: 'card', click: () => core.finish(secret === wanted) },
      `Card ${index + 1}`,
    );
    card.addEventListener('mouseenter', () => (card.textContent = `Card ${index + 1}: ${secret}`));
    card.addEventListener('mouseleave', () => (card.textContent = `Card ${index + 1}`));
    return card;
  });
  ui.show(ui.make('div', { class: 'columns' }, ...cards));
});
