// A form over three documents: what was entered goes on in the address.
core.pageOfSeveral(() => {
  const [first, last] = [core.sample(words.first), core.sample(words.last)];
  const city = core.sample(words.cities);
  const birth = { year: core.randi(1950, 2006), month: core.randi(1, 13), day: core.randi(1, 29) };
  const plan = core.sample(['Free', 'Basic', 'Premium']);
  const news = core.sample([true, false]);
  core.EPISODE_MAX_TIME = 20_000;
  const about = `${news ? 'with' : 'without'} the newsletter`;
  core.ask(
    `Sign up "${first}" "${last}" from "${city}", born on ${words.day(birth)}, for the plan "${plan}" ${about}.`,
    `Make an account ${about} on the plan "${plan}". First name "${first}", last name "${last}", city "${city}", date of birth ${words.day(birth)}.`,
  );
  const given = new URLSearchParams(location.search);
  const step = Number(given.get('step') ?? '1');
  const field = (/** @type {string} */ label, /** @type {string} */ name, type = 'text') => {
    const { input, line } = ui.text(label, type);
    input.name = name;
    return line;
  };
  /** @type {(lines: readonly HTMLElement[]) => HTMLElement} */
  const form = (lines) => {
    const whole = ui.make('form', {}, ...lines, ui.make('button', { class: 'primary' }, 'Continue'));
    whole.addEventListener('submit', (event) => {
      event.preventDefault();
      for (const { name, value } of whole.querySelectorAll('input')) given.set(name, value);
      given.set('step', String(step + 1));
      location.assign(`sign-up.html?${given}`);
    });
    return whole;
  };
  const heading = ui.make('h1', {}, `Sign up, step ${Math.min(step, 3)} of 3`);
  if (step === 1) ui.show(heading, form([field('First name', 'first'), field('Last name', 'last')]));
  else if (step === 2)
    ui.show(heading, form([field('City', 'city'), field('Date of birth', 'birth', 'date')]));
  else if (step === 3) {
    const plans = ['Free', 'Basic', 'Premium'].map((name) => ({ name, ...ui.tick('radio', name, 'plan') }));
    const letter = ui.tick('checkbox', 'Send me the newsletter', 'news');
    const day = `${birth.year}-${String(birth.month).padStart(2, '0')}-${String(birth.day).padStart(2, '0')}`;
    const wanted = { first, last, city, birth: day };
    const create = () =>
      core.finish(
        Object.entries(wanted).every(([key, value]) => (given.get(key) ?? '').trim() === value) &&
          plans.every(({ name, input }) => input.checked === (name === plan)) &&
          letter.input.checked === news,
      );
    ui.show(
      heading,
      ui.group('Plan', ...plans.map(({ line }) => line)),
      letter.line,
      ui.button('Create the account', create, 'primary'),
    );
  }
});
