core.page(() => {
  const user = `${core.sample(words.first).toLowerCase()}${core.randi(10, 100)}`;
  const password = `${core.sample(words.nouns)}-${core.randi(100, 1000)}`;
  core.ask(
    `Sign in as "${user}" with the password "${password}".`,
    `Log in. The user name is "${user}", the password is "${password}".`,
    `Use the account "${user}", whose password is "${password}", to sign in.`,
  );
  const name = ui.text('User name');
  const secret = ui.text('Password', 'password');
  ui.show(
    ui.make('h1', {}, 'Welcome back'),
    name.line,
    secret.line,
    ui.button(
      'Sign in',
      () => core.finish(name.input.value === user && secret.input.value === password),
      'primary',
    ),
  );
});
