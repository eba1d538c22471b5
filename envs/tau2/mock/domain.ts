import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { defineTool } from '../../engines/tools/tool.ts';
import type { World } from '../../engines/tools/world.ts';
import { fail, type Domain } from '../domain.ts';
import { printModel } from '../python/print-model.ts';
import { inFileOrder, rowOf } from '../rows.ts';
import { asText, transferToHuman } from '../generic-tools.ts';

const taskStatus = z.enum(['pending', 'completed']);

const task = z.object({
  task_id: z.string(),
  title: z.string(),
  description: z.string().nullable().default(null),
  status: taskStatus,
});
const user = z.object({
  user_id: z.string(),
  name: z.string(),
  tasks: z.array(from('task_id', z.string())),
});
const notification = z.object({
  notification_id: z.string(),
  message: z.string(),
  status: z.enum(['unread', 'read']).default('unread'),
  task_id: z.string().nullable().default(null),
});

const agentTables = { tasks: rowOf(task), users: rowOf(user) };
const userTables = { notifications: rowOf(notification) };
const tables = { ...agentTables, ...userTables };
type MockWorld = World<typeof tables>;

const taskText = (value: z.output<typeof task>): string => printModel(task, value);

function createTask(
  {
    user_id,
    title,
    description,
  }: { user_id: string; title: string; description?: string | null | undefined },
  world: MockWorld,
) {
  const owner = world.get('users', user_id);
  if (owner === undefined) return fail(`User ${user_id} not found`);
  const count = world.all('tasks').length;
  const task_id = `task_${count + 1}`;
  const row = { task_id, title, description: description ?? null, status: 'pending' } as const;
  const place = world.get('tasks', task_id)?.place ?? count;
  world.put('tasks', { id: task_id, place, ...row });
  world.update('users', user_id, { tasks: [...owner.tasks, task_id] });
  return row;
}

const createInput = z.strictObject({
  user_id: z.string().describe('the ID of the user creating the task'),
  title: z.string().describe('the title of the task'),
  description: z.string().nullable().optional().describe('optional description of the task'),
});

const agentTools = [
  defineTool(tables, {
    name: 'create_task',
    description: 'Creates a new task for a user.',
    input: createInput,
    output: task,
    run: createTask,
    print: taskText,
  }),
  defineTool(tables, {
    name: 'get_users',
    description: 'Gets all users in the database.',
    input: z.strictObject({}),
    output: z.array(user),
    run: (_args, world) => inFileOrder(world.all('users')).map((row) => user.parse(row)),
    print: (users) => printModel(z.array(user), users),
  }),
  defineTool(tables, {
    name: 'update_task_status',
    description: 'Updates the status of a task.',
    input: z.strictObject({
      task_id: z.string().describe('the ID of the task to update'),
      status: taskStatus.describe('the new status of the task'),
    }),
    output: task,
    run: ({ task_id, status }, world) =>
      world.get('tasks', task_id) === undefined
        ? fail(`Task ${task_id} not found`)
        : task.parse(world.update('tasks', task_id, { status })),
    print: taskText,
  }),
  transferToHuman,
];

const userTools = [
  defineTool(tables, {
    name: 'check_notifications',
    description: "Checks all notifications in the user's inbox.",
    input: z.strictObject({}),
    output: z.array(notification),
    run: (_args, world) => inFileOrder(world.all('notifications')).map((row) => notification.parse(row)),
    print: (found) => printModel(z.array(notification), found),
  }),
  defineTool(tables, {
    name: 'dismiss_notification',
    description: 'Dismisses (marks as read) a notification.',
    input: z.strictObject({ notification_id: z.string().describe('the ID of the notification to dismiss') }),
    output: z.string(),
    run: ({ notification_id }, world) => {
      if (world.get('notifications', notification_id) === undefined)
        return fail(`Notification ${notification_id} not found`);
      world.update('notifications', notification_id, { status: 'read' });
      return `Notification ${notification_id} dismissed`;
    },
    print: asText,
  }),
];

const numberInput = z.strictObject({ user_id: z.string(), expected_number: z.int() });
const statusInput = z.strictObject({ task_id: z.string(), expected_status: z.string() });
const addInput = z.strictObject({
  notification_id: z.string(),
  message: z.string(),
  task_id: z.string().nullable().optional(),
});
const notificationInput = z.strictObject({ notification_id: z.string(), expected_status: z.string() });

/** Tasks of users: τ²-bench's smallest domain. The user has an inbox. */
export const mockDomain: Domain = {
  name: 'mock',
  agent: {
    className: 'MockTools',
    file: 'db.json',
    tables: agentTables,
    tools: agentTools,
    changing: new Set(['create_task', 'update_task_status']),
    functions: {
      assert_number_of_tasks: {
        input: numberInput,
        run: (args, world) => {
          const { user_id, expected_number } = numberInput.parse(args);
          const row = (world as unknown as MockWorld).get('users', user_id);
          return row === undefined ? fail(`User ${user_id} not found`) : row.tasks.length === expected_number;
        },
      },
      assert_task_status: {
        input: statusInput,
        run: (args, world) => {
          const { task_id, expected_status } = statusInput.parse(args);
          const row = (world as unknown as MockWorld).get('tasks', task_id);
          return row === undefined ? fail(`Task ${task_id} not found`) : row.status === expected_status;
        },
      },
    },
  },
  user: {
    className: 'MockUserTools',
    file: 'user_db.json',
    tables: userTables,
    tools: userTools,
    changing: new Set(['dismiss_notification']),
    functions: {
      add_notification: {
        input: addInput,
        run: (args, given) => {
          const world = given as unknown as MockWorld;
          const { notification_id, message, task_id = null } = addInput.parse(args);
          const place =
            world.get('notifications', notification_id)?.place ?? world.all('notifications').length;
          world.put('notifications', {
            id: notification_id,
            place,
            notification_id,
            message,
            status: 'unread',
            task_id,
          });
          return undefined;
        },
      },
      assert_notification_status: {
        input: notificationInput,
        run: (args, world) => {
          const { notification_id, expected_status } = notificationInput.parse(args);
          const row = (world as unknown as MockWorld).get('notifications', notification_id);
          return row === undefined
            ? fail(`Notification ${notification_id} not found`)
            : row.status === expected_status;
        },
      },
    },
  },
};
