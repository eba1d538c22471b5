import { attribute, has, hasOr, is, isAfter, of, suits } from '../attribute.ts';

/** The attributes of devices and their accessories. */
export const electronicsAttributes = [
  attribute('high speed', is('high speed'), {
    title: 'High Speed',
    shown: [
      'Fast: High speed transfer, with no waiting and no dropouts.',
      'Performance: A high speed connection for large files and long streams.',
    ],
    hinted: ['Fast: A whole film is through before the kettle boils.'],
  }),
  attribute('high performance', is('high performance'), {
    title: 'High Performance',
    shown: [
      'Power: A high performance chip that stays cool.',
      'Inside: High performance parts, matched to each other.',
    ],
    hinted: ['Power: Does not slow down when much is going on at once.'],
  }),
  attribute('gold plated', is('gold plated'), {
    title: 'Gold Plated',
    shown: [
      'Contacts: Gold plated plugs that do not corrode.',
      'Signal: Gold plated connectors keep the signal clean for years.',
    ],
    hinted: ['Contacts: The plugs shine yellow and resist corrosion.'],
  }),
  attribute('fast charging', is('fast charging'), {
    title: 'Fast Charging',
    shown: [
      'Charge: Fast charging from empty to half in {many} minutes.',
      'Power: Fast charging with protection from heat and overload.',
    ],
    hinted: ['Charge: A coffee break gives you power for the evening.'],
  }),
  attribute('wireless charging', hasOr('wireless charging', 'wireless charging'), {
    title: 'Wireless Charging',
    shown: [
      'Pads: Supports wireless charging, no need to take {them} off.',
      'Cable-Free: Wireless charging works through up to 5 mm.',
    ],
    hinted: ['Pads: Just lay it down and the battery fills.'],
  }),
  attribute('quick release', has('a quick release'), {
    title: 'Quick Release',
    shown: [
      'Change: Quick release pins, on and off within seconds.',
      'Handy: The quick release locks with a click.',
    ],
    hinted: ['Change: No tools are needed to swap it.'],
  }),
  attribute('hands free', suits('hands free use'), {
    title: 'Hands Free',
    shown: [
      'Calls: Hands free calls with a microphone that hears only you.',
      'Control: Go hands free while you cook, drive or work.',
    ],
    hinted: ['Calls: Talk without touching anything.'],
  }),
  attribute('noise cancelling', is('noise cancelling'), {
    title: 'Noise Cancelling',
    shown: [
      'Quiet: Noise cancelling that hushes trains, planes and open offices.',
      'Sound: Noise cancelling microphones on both sides.',
    ],
    hinted: ['Quiet: The world around you goes silent.'],
  }),
  attribute('stereo sound', has('stereo sound'), {
    title: 'Stereo Sound',
    shown: ['Audio: Wide stereo sound with a warm low end.', 'Music: Full stereo sound from two drivers.'],
    hinted: ['Audio: You hear where each instrument stands.'],
  }),
  attribute('long lasting', is('long lasting'), {
    title: 'Long Lasting',
    shown: [
      'Battery: Long lasting battery, up to {hours} hours a charge.',
      'Built Well: A long lasting companion, tested for years of use.',
    ],
    hinted: ['Battery: Charge on Sunday and again on Friday.'],
  }),
  attribute('easy install', isAfter('easy to install'), {
    title: 'Easy Install',
    shown: [
      'Set-Up: Easy install in {few} steps, everything you need is in the box.',
      'Fitting: Easy install without bubbles, dust or tears.',
    ],
    hinted: ['Set-Up: Up and running before you have read this page.'],
  }),
  attribute('easy use', isAfter('easy to use'), {
    title: 'Easy Use',
    shown: [
      'Simple: Easy use for young and old, with one button for everything.',
      'Friendly: Easy use from the start, no app required.',
    ],
    hinted: ['Simple: Grandparents manage it without a call for help.'],
  }),
  attribute('easy carry', isAfter('easy to carry'), {
    title: 'Easy Carry',
    shown: ['Portable: Easy carry size with a pouch.', 'To Go: Easy carry in a coat pocket or on a strap.'],
    hinted: ['Portable: Goes along in any bag.'],
  }),
  attribute('heavy duty', is('heavy duty'), {
    title: 'Heavy Duty',
    shown: [
      'Tough: Heavy duty build for rough hands and rough days.',
      'Strong: Heavy duty {material} that does not bend.',
    ],
    hinted: ['Tough: Made to be dropped, pulled and stepped on.'],
  }),
  attribute('light weight', is('light weight'), {
    title: 'Light Weight',
    shown: [
      'Slim: Light weight and thin, without bulk.',
      'Comfort: Light weight, so you can hold {them} for hours.',
    ],
    hinted: ['Slim: Hardly noticed on the scales.'],
  }),
  attribute('high definition', is('high definition'), {
    title: 'High Definition',
    shown: ['Picture: High definition with true colors.', 'Detail: High definition, sharp into the corners.'],
    hinted: ['Picture: You can count the blades of grass.'],
  }),
  attribute('ultra hd', is('ultra hd'), {
    title: 'Ultra HD',
    shown: [
      'Resolution: Ultra HD with four times the pixels of older screens.',
      'Image: Ultra HD at 60 frames a second.',
    ],
    hinted: ['Resolution: 3840 by 2160 points, no less.'],
  }),
  attribute('1080p hd', is('1080p hd'), {
    title: '1080P HD',
    shown: ['Video: 1080P HD recording, day and night.', 'Resolution: 1080P HD at up to 30 frames a second.'],
    hinted: ['Video: 1920 by 1080 points, clear enough for license plates.'],
  }),
  attribute('high resolution', is('high resolution'), {
    title: 'High Resolution',
    shown: [
      'Sharp: High resolution down to the finest print.',
      'Sensor: A high resolution sensor that also copes with dusk.',
    ],
    hinted: ['Sharp: Crop as far as you like and it still looks good.'],
  }),
  attribute('optical zoom', has('optical zoom'), {
    title: 'Optical Zoom',
    shown: [
      'Closer: Optical zoom brings birds and stages near.',
      'Lens: {few}x optical zoom that loses no detail.',
    ],
    hinted: ['Closer: The lens itself moves, so nothing gets grainy.'],
  }),
  attribute('high power', is('high power'), {
    title: 'High Power',
    shown: ['Reach: High power for long distances.', 'Strong: High power output that fills the whole room.'],
    hinted: ['Reach: Sees what is a mile away.'],
  }),
  attribute('bird watching', suits('bird watching'), {
    title: 'for Bird Watching',
    shown: [
      'Outdoors: Made for bird watching, hikes and ball games.',
      'Nature: Bird watching becomes a pleasure with the wide field of view.',
    ],
    hinted: ['Outdoors: Follow a hawk across the sky without losing it.'],
  }),
  attribute('night vision', has('night vision'), {
    title: 'Night Vision',
    shown: ['Dark: Night vision up to {many} feet.', 'Around the Clock: Clear night vision in color.'],
    hinted: ['Dark: Sees what happens when the lamps are out.'],
  }),
  attribute('motion detection', has('motion detection'), {
    title: 'Motion Detection',
    shown: [
      'Alerts: Motion detection that tells people from pets.',
      'Smart: Motion detection zones cut false alarms.',
    ],
    hinted: ['Alerts: Your phone buzzes when something stirs.'],
  }),
  attribute('touch screen', hasOr('touch screen', 'a touch screen'), {
    title: 'Touch Screen',
    shown: [
      'Control: A responsive touch screen with a matte coat.',
      'Display: The touch screen works with thin gloves.',
    ],
    hinted: ['Control: Everything is done with the tip of a finger.'],
  }),
  attribute('tempered glass', of('tempered glass'), {
    title: 'Tempered Glass',
    shown: [
      'Material: Tempered glass of 9H hardness.',
      'Protection: Tempered glass that takes the knock for you.',
    ],
    hinted: ['Material: Hardened by heat, it shrugs off keys and coins.'],
  }),
  attribute('shock absorption', has('shock absorption'), {
    title: 'Shock Absorption',
    shown: [
      'Drops: Corners with shock absorption, tested from 10 feet.',
      'Safe: Air cushions for shock absorption on all sides.',
    ],
    hinted: ['Drops: The bumper swallows the blow.'],
  }),
  attribute('dust proof', is('dust proof'), {
    title: 'Dust Proof',
    shown: ['Sealed: Dust proof covers over every opening.', 'Outdoors: Dust proof and ready for the beach.'],
    hinted: ['Sealed: Sand and lint stay outside.'],
  }),
  attribute('water resistant', is('water resistant'), {
    title: 'Water Resistant',
    shown: [
      'Weather: Water resistant to IPX{few}, for rain and splashes.',
      'Pool: Water resistant, rinse {them} off after use.',
    ],
    hinted: ['Weather: A shower of rain does no harm.'],
  }),
  attribute('aluminum alloy', of('aluminum alloy'), {
    title: 'Aluminum Alloy',
    shown: [
      'Body: Aluminum alloy, milled from one piece.',
      'Material: Aluminum alloy that is stiff and stays cool.',
    ],
    hinted: ['Body: The light metal frame is anodized.'],
  }),
  attribute('carbon fiber', of('carbon fiber'), {
    title: 'Carbon Fiber',
    shown: [
      'Material: Real carbon fiber, woven and polished.',
      'Build: Carbon fiber for strength without weight.',
    ],
    hinted: ['Material: The black weave known from racing cars.'],
  }),
  attribute('stainless steel', of('stainless steel'), {
    title: 'Stainless Steel',
    shown: [
      'Material: Stainless steel, brushed by hand.',
      'Metal: Solid stainless steel that does not tarnish.',
    ],
    hinted: ['Material: The metal stays bright in sweat and sea water.'],
  }),
  attribute('quad core', hasOr('quad core', 'a quad core processor'), {
    title: 'Quad Core',
    shown: ['Processor: Quad core at up to 2.{few} GHz.', 'Speed: A quad core processor for work and play.'],
    hinted: ['Processor: Four units share the work.'],
  }),
  attribute('plug play', isAfter('plug and play'), {
    title: 'Plug Play',
    shown: ['No Drivers: Plug Play on every common system.', 'Ready: True plug play, connect and start.'],
    hinted: ['No Drivers: Connect it and it is there.'],
  }),
  attribute('usb port', has('a usb port'), {
    title: 'with USB Port',
    shown: [
      'Ports: An extra USB port charges your phone on the side.',
      'Connections: USB port, audio jack and card slot.',
    ],
    hinted: ['Ports: Sticks and cables find a socket at the side.'],
  }),
  attribute('batteries included', isAfter('sold with batteries included'), {
    title: 'Batteries Included',
    shown: [
      'In the Box: Batteries included, and a short guide.',
      'Ready: Batteries included, start right away.',
    ],
    hinted: ['In the Box: The cells that it needs come with it.'],
  }),
  attribute('compact size', hasOr('compact size', 'a compact size'), {
    title: 'Compact Size',
    shown: [
      'Small: Compact size that fits behind a screen or in a drawer.',
      'Travel: The compact size leaves room for other things.',
    ],
    hinted: ['Small: No larger than a deck of cards.'],
  }),
  attribute('non slip', is('non slip'), {
    title: 'Non Slip',
    shown: ['Grip: Non slip texture at the sides.', 'Hold: Non slip feet that stay where you put them.'],
    hinted: ['Grip: Does not slide off a slanted desk.'],
  }),
  attribute('case cover', has('a case cover'), {
    title: 'with Case Cover',
    shown: ['Set: A matching case cover is part of the set.', 'Friendly: Leaves room for any case cover.'],
    hinted: ['Set: The back of your phone gets a shell as well.'],
  }),
  attribute('wall mounted', is('wall mounted'), {
    title: 'Wall Mounted',
    shown: [
      'Fixing: Can be wall mounted or hung from the ceiling.',
      'Mount: Wall mounted with two brackets.',
    ],
    hinted: ['Fixing: Hooks for plaster and brick are supplied.'],
  }),
  attribute('aaa batteries', isAfter('powered by aaa batteries'), {
    title: 'AAA Batteries',
    shown: ['Power: Runs on two AAA batteries.', 'Energy: AAA batteries last for about a year.'],
    hinted: ['Power: Takes the small cells that you have in the drawer.'],
  }),
];
