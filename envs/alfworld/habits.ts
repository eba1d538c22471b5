/** Where people keep things, the likeliest place first. Common sense, not taken from any game. */
const habits: Readonly<Record<string, string>> = {
  alarmclock: 'sidetable desk dresser shelf',
  apple: 'countertop diningtable fridge sinkbasin garbagecan sidetable microwave',
  baseballbat: 'bed desk sofa sidetable',
  basketball: 'bed desk sofa armchair',
  book: 'desk bed sidetable shelf coffeetable sofa dresser drawer',
  bowl: 'countertop diningtable cabinet shelf fridge sinkbasin desk microwave coffeetable',
  box: 'sofa coffeetable dresser diningtable sidetable armchair',
  bread: 'countertop diningtable fridge',
  butterknife: 'countertop diningtable drawer sinkbasin sidetable',
  candle: 'countertop toilet cabinet shelf coffeetable drawer cart',
  cd: 'desk drawer shelf safe garbagecan sidetable dresser',
  cellphone: 'desk bed sidetable dresser drawer countertop coffeetable diningtable sofa',
  cloth:
    'countertop cabinet drawer bathtubbasin sinkbasin toilet shelf cart laundryhamper garbagecan dresser',
  creditcard: 'desk dresser sidetable drawer coffeetable diningtable sofa armchair countertop shelf tvstand',
  cup: 'countertop cabinet diningtable sinkbasin fridge microwave shelf coffeetable',
  dishsponge: 'sinkbasin countertop cabinet drawer diningtable bathtubbasin cart',
  egg: 'fridge countertop diningtable sinkbasin garbagecan microwave',
  fork: 'countertop diningtable drawer sinkbasin sidetable',
  glassbottle: 'countertop shelf cabinet fridge diningtable garbagecan',
  handtowel: 'handtowelholder countertop cabinet bathtubbasin',
  kettle: 'stoveburner countertop cabinet shelf diningtable sinkbasin',
  keychain:
    'desk sidetable dresser sofa armchair drawer coffeetable safe countertop shelf ottoman tvstand diningtable',
  knife: 'countertop diningtable drawer sinkbasin sidetable',
  ladle: 'countertop drawer diningtable sinkbasin cabinet',
  laptop: 'desk bed sofa coffeetable diningtable armchair dresser ottoman sidetable',
  lettuce: 'countertop fridge diningtable sinkbasin garbagecan',
  mug: 'countertop coffeemachine cabinet desk diningtable sinkbasin shelf fridge microwave drawer sidetable',
  newspaper: 'coffeetable sofa diningtable armchair drawer garbagecan sidetable ottoman shelf tvstand',
  pan: 'stoveburner countertop diningtable sinkbasin cabinet fridge',
  papertowelroll: 'countertop diningtable garbagecan',
  pen: 'desk drawer sidetable shelf dresser bed garbagecan',
  pencil: 'desk drawer sidetable shelf dresser bed garbagecan',
  peppershaker: 'countertop cabinet diningtable drawer shelf sidetable',
  pillow: 'bed sofa armchair ottoman',
  plate: 'countertop cabinet diningtable fridge sinkbasin shelf microwave drawer coffeetable',
  pot: 'stoveburner countertop diningtable sinkbasin fridge cabinet',
  potato: 'countertop fridge diningtable sinkbasin garbagecan microwave',
  remotecontrol: 'coffeetable sofa tvstand armchair sidetable drawer dresser diningtable ottoman shelf',
  saltshaker: 'countertop cabinet diningtable drawer shelf sidetable',
  soapbar: 'sinkbasin toilet countertop bathtubbasin cabinet garbagecan cart shelf drawer',
  soapbottle: 'countertop sinkbasin cabinet toilet shelf garbagecan drawer cart bathtubbasin',
  spatula: 'countertop diningtable drawer sinkbasin',
  spoon: 'countertop diningtable drawer sinkbasin sidetable',
  spraybottle: 'countertop cabinet toilet shelf garbagecan drawer cart',
  statue: 'shelf coffeetable sidetable dresser tvstand desk cart',
  teddybear: 'bed sofa desk armchair',
  tissuebox: 'coffeetable sidetable countertop dresser diningtable desk drawer shelf toilet cart garbagecan',
  toiletpaper: 'toilet cabinet countertop toiletpaperhanger drawer shelf garbagecan bathtubbasin',
  tomato: 'countertop fridge diningtable sinkbasin garbagecan microwave',
  towel: 'towelholder bathtubbasin countertop',
  vase: 'shelf coffeetable sidetable diningtable dresser desk countertop safe cabinet',
  watch: 'sidetable coffeetable dresser sofa shelf drawer safe tvstand diningtable desk',
  wateringcan: 'sidetable coffeetable dresser drawer',
  winebottle: 'countertop fridge cabinet diningtable garbagecan shelf',
  desklamp: 'desk sidetable dresser shelf bed',
  floorlamp: 'desk sidetable dresser shelf',
};

/**
 * How likely a kind of object is in a kind of receptacle, from 0 to 1. Unknown kinds have a small likelihood
 * everywhere.
 */
export function likelihood(object: string, receptacle: string): number {
  const places = habits[object]?.split(' ');
  if (places === undefined) return 0.3;
  const rank = places.indexOf(receptacle);
  return rank < 0 ? 0.02 : 1 / (1 + 0.4 * rank);
}
