import type { Problem, ProgramLanguage } from './problems/problem.ts';

/** Programs that know the form alone. They return the same for every input. */
export function simplePrograms({ form }: Problem, language: ProgramLanguage): readonly string[] {
  if (language === 'python') {
    if (form.kind === 'lines') return ['print(0)', 'print()', 'print("yes")'];
    return ['0', '[]', '""', 'True', 'given[0]'].map(
      (answer) => `def ${form.name}(*given):\n    return ${answer}`,
    );
  }
  if (form.kind === 'lines') return ['console.log(0);', "console.log('');", "console.log('yes');"];
  return ['0', '[]', "''", 'true', 'given[0]'].map(
    (answer) => `function ${form.name}(...given) {\n  return ${answer};\n}`,
  );
}
