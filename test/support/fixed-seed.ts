import fc from 'fast-check';

// Runs before every test file: properties draw the same cases each time, so that a run that failed can be run again and a change
// is judged by what it changes. CAIRN_FUZZ=1 draws new ones.
if ((process.env['CAIRN_FUZZ'] ?? '') === '')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 });
