import { number, numbers, text } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

export const simulationTemplates = [
  template({
    name: 'bank_balance',
    category: 'simulation',
    difficulty: 2,
    result: 'number',
    variants: every(each('start', [0, 10, 25]), each('floor', [-10, 0])).flatMap((variant) => [
      { ...variant, fee: 1 },
      { ...variant, fee: 3 },
    ]),
    parameters: () => ({ moves: numbers({ low: -20, high: 20, most: 10 }) }),
    statement: ({ start, floor, fee }) =>
      `An account holds ${start}. Each move is added to it in turn; one that would bring it below ${floor} is refused and costs ${fee} instead, whatever the account then holds. Give what it holds in the end.`,
    program: ({ start, floor, fee }) => `
def bank_balance(moves):
    balance = ${start}
    for move in moves:
        if balance + move < ${floor}:
            balance -= ${fee}
        else:
            balance += move
    return balance`,
  }),
  template({
    name: 'queue_wait',
    category: 'simulation',
    difficulty: 3,
    result: 'number',
    variants: every(orders, each('k', [2, 4, 8])),
    parameters: () => ({ arrivals: numbers({ low: 0, high: 20, most: 8 }), service: number(1, 6) }),
    statement: ({ order, k }) =>
      `People come to one counter at the given minutes, which are in no order: serve them by the minute at which they came. Each is served for \`service\` minutes, as soon as the counter is free. Count those whose wait before they are served is ${order} ${k} minutes.`,
    program: ({ sign, k }) => `
def queue_wait(arrivals, service):
    free = 0
    count = 0
    for minute in sorted(arrivals):
        start = max(free, minute)
        if start - minute ${sign} ${k}:
            count += 1
        free = start + service
    return count`,
  }),
  template({
    name: 'elevator_stops',
    category: 'simulation',
    difficulty: 3,
    result: 'number',
    variants: every(each('start', [0, 3, 5]), each('cost', [1, 2, 4])),
    parameters: () => ({ calls: numbers({ low: 0, high: 9, most: 10 }) }),
    statement: ({ start, cost }) =>
      `A lift stands on floor ${start} and goes to the floors of the list in turn. Each floor that it passes takes a second, and each arrival takes ${cost} more, but a call to the floor where it stands takes no time at all. Give the seconds that all takes.`,
    program: ({ start, cost }) => `
def elevator_stops(calls):
    floor = ${start}
    seconds = 0
    for call in calls:
        if call != floor:
            seconds += abs(call - floor) + ${cost}
            floor = call
    return seconds`,
  }),
  template({
    name: 'turtle_distance',
    category: 'simulation',
    difficulty: 3,
    result: 'number',
    variants: every(each('step', [1, 2, 3]), [
      { turns: 'to the left', a: '0 - dy', b: 'dx' },
      { turns: 'to the right', a: 'dy', b: '0 - dx' },
    ]).flatMap((variant) => [
      { ...variant, order: 'in the end', keep: 'distance = abs(x) + abs(y)' },
      { ...variant, order: 'at the farthest', keep: 'distance = max(distance, abs(x) + abs(y))' },
    ]),
    parameters: () => ({ orders: text('FTB', { most: 12, says: '"F", "B" and "T"' }) }),
    statement: ({ step, turns, order }) =>
      `A turtle stands at (0, 0) and looks along x. F moves it ${step} ahead, B moves it 1 back, T turns it by a quarter ${turns}. Give, as |x| + |y|, how far from the start it is ${order}.`,
    program: ({ step, a, b, keep }) => `
def turtle_distance(orders):
    x = 0
    y = 0
    dx = 1
    dy = 0
    distance = 0
    for c in orders:
        if c == "F":
            x += ${step} * dx
            y += ${step} * dy
        elif c == "B":
            x -= dx
            y -= dy
        else:
            nx = ${a}
            ny = ${b}
            dx = nx
            dy = ny
        ${keep}
    return distance`,
  }),
  template({
    name: 'stock_orders',
    category: 'simulation',
    difficulty: 3,
    result: 'number',
    heldOut: true,
    variants: every(each('start', [5, 10, 20]), each('low', [3, 5])).flatMap((variant) => [
      { ...variant, refill: 8 },
      { ...variant, refill: 15 },
    ]),
    parameters: () => ({ sales: numbers({ low: 0, high: 12, most: 10 }) }),
    statement: ({ start, low, refill }) =>
      `A shop begins with ${start} pieces. Every day so many are asked for; it sells what it has of them. In the evening, where fewer than ${low} are left, ${refill} are added. Give how many that were asked for could not be sold.`,
    program: ({ start, low, refill }) => `
def stock_orders(sales):
    stock = ${start}
    missed = 0
    for asked in sales:
        sold = min(asked, stock)
        missed += asked - sold
        stock -= sold
        if stock < ${low}:
            stock += ${refill}
    return missed`,
  }),
];
