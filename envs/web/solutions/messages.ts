import { quoted } from './instruction.ts';
import {
  click,
  fill,
  find,
  findAll,
  firstOf,
  need,
  present,
  press,
  rowOf,
  within,
  type Seen,
  type Solution,
} from './look.ts';
import type { PageAction } from '../../engines/browser/actions/page-action.ts';

/** Opens the only e-mail of a person; undefined when no list is shown. */
function openMail(seen: Seen, person: string): PageAction | undefined {
  if (find(seen, 'table') === undefined) return undefined;
  return click(present(within(rowOf(seen, person), 'link')[0], 'the e-mail'));
}

export const actOnMail: Solution = (seen) => {
  const [person = '', action = ''] = quoted(seen.instruction);
  return openMail(seen, person) ?? press(seen, action);
};

export const answerMail: Solution = (seen) => {
  const [person = '', other = ''] = quoted(seen.instruction);
  const way = /forward/i.test(seen.instruction) ? 'Forward' : 'Reply';
  const opened = openMail(seen, person);
  if (opened !== undefined) return opened;
  const to = find(seen, 'textbox', 'To');
  if (to === undefined) return press(seen, way);
  return (
    firstOf(way === 'Forward' ? fill(to, other) : fill(need(seen, 'textbox', 'Text'), other)) ??
    press(seen, 'Send')
  );
};

export const socialFeed: Solution = (seen) => {
  const names = quoted(seen.instruction);
  const action = present(
    names.find((name) => ['Like', 'Share', 'Bookmark'].includes(name)),
    'what to do',
  );
  const who = present(
    names.find((name) => name !== action),
    'whose posts',
  );
  const buttons = findAll(seen, 'article', `Post of ${who}`).flatMap((post) =>
    within(post, 'button', action),
  );
  const left = buttons.find(({ states }) => !states.includes('pressed'));
  return left === undefined ? press(seen, 'Done') : click(left);
};
