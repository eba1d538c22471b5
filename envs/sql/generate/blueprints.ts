import { choice, decimal, named, reference, table, whole, type Blueprint } from './blueprint.ts';

const people = [
  'Ada Ben Cleo Dan Eva Finn Gina Hugo Ines Jon Kaya Leo Mia Nils Ola Pia Quinn Rosa Sam Tara',
  'Abel Baker Cole Dunn Ellis Frost Grant Hale Irwin Jones Kerr Lund Moss Novak',
] as const;
const towns = 'Arden Bexley Corby Dover Elgin';

/** Worlds for training. */
export const trainBlueprints: readonly Blueprint[] = [
  {
    name: 'school',
    tables: [
      table(
        'teachers',
        [7, 10],
        [
          named('name', ...people),
          choice('subject', 'Maths Physics Art Music History'),
          whole('salary', 24, 60, 0.15),
          choice('town', towns),
        ],
      ),
      table(
        'courses',
        [9, 13],
        [
          named('title', 'Basic Advanced Applied Modern Early', 'Algebra Optics Drawing Singing Trade Logic'),
          whole('credits', 1, 8),
          whole('places', 10, 40, 0.2),
          reference('teacher_id', 'teachers', 0.18),
        ],
      ),
      table(
        'students',
        [28, 40],
        [
          named('name', ...people),
          whole('age', 11, 19),
          choice('club', 'Chess Drama Robotics Choir', 0.2),
          decimal('mark', 1, 6, 0.15),
          reference('course_id', 'courses', 0.18),
        ],
      ),
    ],
  },
  {
    name: 'shop',
    tables: [
      table(
        'suppliers',
        [7, 10],
        [
          named('name', 'North South Royal Green Silver', 'Foods Trading Farms Mills Works'),
          choice('country', 'Spain Norway Chile Japan'),
          whole('rating', 1, 9, 0.15),
        ],
      ),
      table(
        'products',
        [24, 34],
        [
          named('name', 'Red Blue Small Large Fine Plain', 'Lamp Chair Kettle Rug Mirror Clock Basket'),
          choice('department', 'Kitchen Garden Office Bedroom'),
          decimal('price', 3, 90),
          whole('stock', 0, 60, 0.15),
          reference('supplier_id', 'suppliers', 0.18),
        ],
      ),
      table(
        'orders',
        [30, 44],
        [
          whole('quantity', 1, 9),
          choice('status', 'Paid Open Sent Returned', 0.1),
          whole('week', 1, 20),
          reference('product_id', 'products'),
        ],
      ),
    ],
  },
  {
    name: 'clinic',
    tables: [
      table(
        'doctors',
        [7, 10],
        [
          named('name', ...people),
          choice('field', 'Surgery Dermatology Paediatrics Neurology'),
          whole('experience', 1, 30),
          choice('town', towns, 0.1),
        ],
      ),
      table(
        'patients',
        [26, 38],
        [
          named('name', ...people),
          whole('age', 2, 90),
          choice('insurance', 'Public Private Basic', 0.2),
          decimal('weight', 40, 110, 0.1),
          reference('doctor_id', 'doctors', 0.18),
        ],
      ),
      table(
        'visits',
        [30, 44],
        [
          whole('month', 1, 12),
          whole('fee', 20, 200, 0.15),
          choice('reason', 'Checkup Fever Injury Advice'),
          reference('patient_id', 'patients'),
        ],
      ),
    ],
  },
  {
    name: 'library',
    tables: [
      table(
        'authors',
        [8, 11],
        [
          named('name', ...people),
          choice('country', 'Ireland Kenya Brazil India'),
          whole('born', 1900, 1990, 0.15),
        ],
      ),
      table(
        'books',
        [24, 36],
        [
          named(
            'title',
            'Silent Golden Lost Hidden Last Bright',
            'River Garden Winter House Letter Road Storm',
          ),
          choice('genre', 'Mystery Poetry Travel Science', 0.15),
          whole('pages', 80, 700),
          whole('copies', 1, 12),
          reference('author_id', 'authors', 0.18),
        ],
      ),
      table(
        'loans',
        [30, 44],
        [
          named('reader', ...people),
          whole('days', 1, 40),
          decimal('fine', 0, 15, 0.3),
          reference('book_id', 'books'),
        ],
      ),
    ],
  },
  {
    name: 'league',
    tables: [
      table(
        'stadiums',
        [6, 9],
        [
          named('name', 'West East Old New', 'Park Arena Field Ground'),
          whole('capacity', 5, 80),
          choice('surface', 'Grass Turf Clay', 0.15),
        ],
      ),
      table(
        'teams',
        [9, 14],
        [
          named('name', 'Iron Swift Blue Wild Grand', 'Lions Hawks Bears Foxes Sharks'),
          choice('colour', 'Red White Black Yellow'),
          whole('points', 5, 60),
          whole('founded', 1890, 2010, 0.2),
          reference('stadium_id', 'stadiums', 0.18),
        ],
      ),
      table(
        'players',
        [28, 42],
        [
          named('name', ...people),
          choice('position', 'Keeper Defender Midfielder Striker', 0.1),
          whole('goals', 0, 25),
          whole('height', 160, 205, 0.15),
          reference('team_id', 'teams', 0.18),
        ],
      ),
    ],
  },
  {
    name: 'hotel',
    tables: [
      table(
        'floors',
        [6, 8],
        [
          named('wing', 'North South East West', 'Tower Court House'),
          choice('view', 'Sea City Hills'),
          whole('level', 1, 9, 0.1),
        ],
      ),
      table(
        'rooms',
        [20, 30],
        [
          named('code', 'Amber Coral Ivory Jade Pearl Ruby', 'One Two Three Four Five Six'),
          choice('size', 'Single Double Suite Family'),
          decimal('rate', 40, 320),
          whole('beds', 1, 6, 0.15),
          reference('floor_id', 'floors', 0.18),
        ],
      ),
      table(
        'bookings',
        [28, 42],
        [
          named('guest', ...people),
          whole('nights', 1, 14),
          choice('board', 'Breakfast Half Full None', 0.2),
          reference('room_id', 'rooms'),
        ],
      ),
    ],
  },
];

/** Worlds that training never sees. */
export const heldOutBlueprints: readonly Blueprint[] = [
  {
    name: 'museum',
    tables: [
      table(
        'halls',
        [6, 9],
        [
          named('name', 'Long Round Upper Lower', 'Hall Gallery Room'),
          choice('theme', 'Nature Sea War Trade'),
          whole('area', 40, 400, 0.15),
        ],
      ),
      table(
        'exhibits',
        [26, 38],
        [
          named('name', 'Bronze Clay Stone Glass Gold Ivory', 'Vase Mask Sword Coin Statue Bowl Crown'),
          choice('origin', 'Egypt Greece Peru China', 0.2),
          whole('value', 5, 900),
          whole('century', 1, 19, 0.15),
          reference('hall_id', 'halls', 0.18),
        ],
      ),
      table(
        'repairs',
        [26, 40],
        [
          choice('damage', 'Crack Rust Stain Fade', 0.1),
          decimal('cost', 10, 400),
          whole('hours', 1, 60),
          reference('exhibit_id', 'exhibits'),
        ],
      ),
    ],
  },
  {
    name: 'railway',
    tables: [
      table(
        'depots',
        [6, 9],
        [
          named('name', 'Mill Castle Bridge Lake', 'Yard Depot Junction'),
          choice('region', 'Coast Valley Plains'),
          whole('tracks', 2, 20, 0.15),
        ],
      ),
      table(
        'trains',
        [22, 34],
        [
          named('name', 'Swift Iron Night Royal Morning Silver', 'Arrow Star Comet Falcon Spirit Rose'),
          choice('fuel', 'Diesel Electric Steam', 0.15),
          whole('seats', 60, 500),
          whole('built', 1960, 2020),
          reference('depot_id', 'depots', 0.18),
        ],
      ),
      table(
        'journeys',
        [30, 44],
        [
          choice('line', 'Amber Violet Scarlet Emerald'),
          whole('delay', 0, 60, 0.2),
          decimal('fare', 3, 80),
          reference('train_id', 'trains'),
        ],
      ),
    ],
  },
  {
    name: 'farm',
    tables: [
      table(
        'barns',
        [6, 9],
        [
          named('name', 'High Low Far Near', 'Barn Shed Stable'),
          choice('roof', 'Tile Straw Metal', 0.1),
          whole('stalls', 4, 40),
        ],
      ),
      table(
        'animals',
        [26, 38],
        [
          named('name', 'Little Old Brown Happy Lazy Quick', 'Bess Coco Daisy Molly Rex Toby Willow'),
          choice('species', 'Cow Goat Sheep Horse', 0.15),
          whole('age', 1, 20),
          decimal('weight', 20, 700, 0.15),
          reference('barn_id', 'barns', 0.18),
        ],
      ),
      table(
        'meals',
        [28, 42],
        [
          choice('feed', 'Hay Oats Corn Silage'),
          whole('amount', 1, 30, 0.15),
          whole('hour', 5, 21),
          reference('animal_id', 'animals'),
        ],
      ),
    ],
  },
];
