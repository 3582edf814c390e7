// The default club of the demo: American date format, the default colours, hockey and football on the screen.
import type { DemoClub } from './club.ts';

export const ANCHOR: DemoClub = {
  settings: {
    club_name: 'The Anchor',
    short_name: 'Anchor',
    about: 'A pub by the old harbour that belongs to those who drink in it.',
    contact: 'desk@club.example',
    weather: { place: 'Old harbour', lat: 40.69, lon: -74.02 },
  },
  people: ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor', 'Ines Albrecht', 'Lee Park', 'Ruth Osei'],
  firstNames:
    'Alma Arthur Beatrice Bernard Celia Cora Daniel Delia Edwin Esther Felix Flora George Grace Harold ' +
    'Hazel Irene Isaac Jonas Judith Kit Laura Leonard Lydia Mabel Marcus Nadia Nell Oscar Paula Quentin ' +
    'Rosa Samuel Stella Theo Ursula Victor Wanda Xavier Yusuf',
  lastNames:
    'Abbott Alvarez Bell Brandt Carver Chen Dalton Diaz Ellis Fofana Garner Hale Haddad Ivers Jansen ' +
    'Kaur Keller Lane Lowe Marsh Mbeki Nolan Novak Ortega Owens Pym Quist Reyes Rossi Sato Stein Tanaka ' +
    'Tran Underhill Vance Varga Walsh Weiss Yang Zeller',
  kinds: ['Member', 'Junior member', 'Honorary member'],
  group: 'Committee',
  tenders: [
    {
      name: 'Marguerite Delacroix',
      bio: 'Came for one summer, stayed for eleven years. Knows where every key is.',
      tips: ['marguerite@club.example', '@marguerite-pours'],
    },
    {
      name: 'Tom Varga',
      bio: 'Pours a proper stout and keeps the quiz honest. Ask about the skittle alley.',
      tips: ['tom@club.example', '@tom-varga'],
    },
    {
      name: 'Ines Albrecht',
      bio: 'Treasurer by day. Makes the best Negroni this side of the river.',
      tips: ['ines@club.example', 'https://pay.example/ines'],
    },
    {
      name: 'Solomon Adeyemi',
      bio: 'Bass in the house band on Thursdays, behind the bar the rest of the week.',
      tips: ['solomon@club.example', '@sol-low-end'],
    },
  ],
  hours: { note: 'The kitchen closes at ten.', early: 'Open early today', closed: 'Stocktaking' },
  events: (at) => [
    {
      title: 'Open hearth and newspapers',
      description: 'Coffee until it is beer.',
      place: 'Pub',
      ...at.soon(-1, 2),
    },
    {
      title: 'Quiz: rivers, kings and cheese',
      description: 'Teams of four. Tom asks.',
      place: 'Pub',
      ...at.weekly(1, 2),
    },
    {
      title: 'The house band plays',
      description: 'Standards, and one they wrote.',
      place: 'Pub',
      drawing: 'band',
      ...at.soon(3, 2),
    },
    {
      title: 'Skittles, league night',
      description: 'Shoes are provided.',
      place: 'Pub, skittle alley',
      ...at.on(at.since('TH'), '18:00', '22:00'),
      rule: 'FREQ=WEEKLY;BYDAY=TH',
      until: at.day(90),
      changes: {
        [at.next('TH')]: { as: 'changed', time: '19:00', note: 'An hour later: the roofers finish.' },
      },
    },
    {
      title: 'Wine committee: reds, tasted blind',
      description: 'Bring a pencil.',
      place: 'Library',
      tag: 'rc-direct',
      ...at.on(at.since('TU'), '19:00', '21:00'),
      rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
    },
    {
      title: 'Winter market in the yard',
      description: 'Stalls, soup and songs under the lanterns.',
      place: 'Pub, yard',
      date: at.day(4),
      announce_from: at.day(-3),
    },
    {
      title: 'Founders’ dinner',
      description: 'Four courses and one short speech.',
      place: 'Pub, dining room',
      ...at.on(at.day(6), '19:30', '23:00'),
    },
    {
      title: 'Film: The Third Man',
      description: 'On the big screen, with subtitles.',
      place: 'Pub',
      ...at.on(at.day(8), '20:00', '22:00'),
    },
  ],
  currency: 'USD',
  menu: [
    {
      title: 'On tap',
      kind: 'drinks',
      on_tap: true,
      items: [
        { name: 'Harbor Stout', maker: 'Old Brewery', style: 'Stout', abv: 4.8, size: 'Pint', price: 750 },
        { name: 'Quay Pale', maker: 'Old Brewery', style: 'Pale ale', abv: 5.2, size: 'Pint', price: 700 },
        { name: 'Low Water', style: 'Lager', abv: 4.6, size: 'Pint', price: 650 },
      ],
    },
    {
      title: 'Bottles',
      kind: 'drinks',
      items: [{ name: 'No Rush', style: 'Alcohol-free', abv: 0.3, size: 'Bottle', price: 500 }],
    },
    {
      title: 'Kitchen',
      kind: 'food',
      items: [
        { name: 'Soup of the day', size: 'Bowl', price: 800 },
        { name: 'Fish and chips', size: 'Plate', price: 1600 },
        { name: 'Chips', size: 'Basket', price: 600 },
      ],
    },
  ],
  announcements: (at) => [
    {
      title: 'The roof is done',
      text: 'The skittle alley is dry again. First bowls on Saturday, with soup.',
      priority: 'high',
      drawing: 'roof',
    },
    {
      title: `Vote by ${at.weekday(3, 'en')}`,
      text: 'The committee elects the treasurer. Your link is in your mail.',
      priority: 'urgent',
      until: at.day(3),
    },
    {
      title: 'Soup and bread for six dollars',
      text: 'On weekdays from noon to six.',
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      between: { from: '12:00', to: '18:00' },
      seconds: 12,
    },
  ],
  pictures: {
    roof: 'The mended roof of the skittle alley in the evening',
    band: 'Three players on the small stage',
  },
  neighbour: {
    name: 'The brewery across the river',
    prefix: 'Brewery:',
    events: (at) => [
      {
        title: 'open brew day',
        place: 'Old Brewery, Quay 4',
        ...at.on(at.since('SA'), '11:00', '15:00'),
        rule: 'FREQ=WEEKLY;BYDAY=SA',
      },
      {
        title: 'new stout on tap',
        place: 'Old Brewery, Quay 4',
        ...at.on(at.day(1), '17:00', '20:00'),
      },
    ],
  },
  workspace: {
    events: (at) => [
      {
        title: 'Yesterday’s late film',
        text: 'Twelve stayed to the end.',
        ...at.on(at.day(-1), '20:00', '23:00'),
      },
      {
        title: 'Piano tuner in the bar',
        text: 'The music pauses for an hour.',
        ...at.on(at.day(2), '15:00', '16:00'),
      },
    ],
    announcement: { title: 'Lost: one brass umbrella handle', text: 'Shaped like a heron. It is missed.' },
  },
  elections: {
    president: {
      title: 'President of the club, 2027',
      options: ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor', 'Dorothea van Rensselaer', 'Emeka Adeyemi'],
    },
    treasurer: {
      title: 'Treasurer',
      description: 'Two years, from January. The committee elects.',
      options: [
        'Ines Albrecht',
        'Frances “Frankie” O’Dell',
        'Gus Marten',
        'Dorothea van Rensselaer-Whitcombe',
        'Lee Park',
      ],
      about: [
        'Kept the books of the bowls team for nine years.\nLikes receipts.',
        'Ran a bakery, then a bank branch. Wants the figures on one page.',
        'Engineer. Would mend the till before anything else.',
        'Chaired the library fund. Knows every donor by name.',
        'Auditor of two charities. Sleeps well.',
      ],
    },
    budget: {
      title: 'Shall the club adopt the budget for 2027?',
      description:
        'The treasurer asks for 48,200 dollars, 3.1 percent more than this year.\nMost of it is the new roof ' +
        'over the skittle alley.\n\nThe full figures are in the document below.',
      attachment_url: 'https://club.example/papers/budget-2027.pdf',
    },
    trip: {
      title: 'Where does the summer trip go?',
      options: ['Hudson Valley, two wineries', 'Mystic Seaport by train', 'Cape May', 'Stay at home'],
    },
    evenings: {
      title: 'Which evenings suit you for the quiz?',
      options: ['Tuesday', 'Wednesday', 'Thursday', 'Sunday afternoon'],
    },
    sundays: { title: 'Shall the bar close at midnight on Sundays?' },
    steward: { title: 'House steward for 2027' },
    rooms: {
      title: 'Which room is painted first?',
      options: ['The library', 'The billiard room', 'The terrace room', 'The cellar', 'The kitchen'],
    },
    dogs: { title: 'Shall dogs be let into the bar?' },
    dinner: {
      title: 'Main course at the founders’ dinner',
      options: ['Roast goose', 'Nut roast', 'Oysters'],
    },
    guests: { title: 'Shall the rules on guests change?' },
    committee: {
      title: 'House committee, three seats',
      options: ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor', 'Delia Marsh', 'Edwin Pym', 'Flora Reyes'],
    },
    trustees: {
      title: 'Trustees of the library fund',
      options: ['Ines Albrecht', 'Lee Park', 'Ruth Osei', 'Theo Quist'],
    },
  },
  board: {
    title: 'Board election 2027',
    chair: {
      title: 'Chair',
      candidates: ['Ada Thornbury', 'Cyrus Okafor', 'Ines Albrecht', 'Lee Park', 'Ruth Osei'],
    },
    committee: {
      title: 'Committee, three seats',
      candidates: ['Bo Lindqvist', 'Delia Marsh', 'Edwin Pym', 'Flora Reyes', 'Grace Novak', 'Hugh Tanaka'],
    },
    treasurer: { title: 'Shall Paula Stein be treasurer?' },
    rules: {
      title: 'Shall the rules let meetings be held by video?',
      description: 'Rule 14 would read: “Members may attend a general meeting in the room or by video.”',
    },
  },
  paper: {
    title: 'Annual meeting, counted on paper',
    certified_by: 'Ines Albrecht and Tom Varga, tellers',
    notes: 'Counted twice in the library.\n\nOne ballot was blank.',
    contests: [
      {
        label: 'Vice president',
        items: [
          { label: 'Josephine Marlowe', votes: 61 },
          { label: 'Arthur Pym', votes: 38 },
        ],
      },
      {
        label: 'Accounts of 2025',
        items: [
          { label: 'Accepted', votes: 97 },
          { label: 'Refused', votes: 2 },
        ],
      },
    ],
  },
  meeting: {
    title: 'Annual general meeting',
    place: 'The library',
    discharge: {
      title: 'Discharge of the committee',
      text: 'The meeting discharges the committee for the past year.',
      mover: 'Ruth Osei, auditor',
    },
    committee: {
      title: 'Committee, three seats',
      about: [
        'Would open the library on Sundays.',
        'Runs the skittles league, and its spreadsheet.',
        'Wants the roof done before the carpets.',
        'Treasurer for four years. Would go on.',
        'New here, and has time.',
      ],
    },
    rules: {
      title: 'Change of the rules: guests',
      text: 'Old: A member may bring two guests.\nNew: A member may bring four guests, and signs them in.',
      mover: 'Cyrus Okafor',
    },
    handedIn: {
      title: 'Subscription of 120 dollars for the next year',
      text: 'From January the subscription is 120 dollars a year, and 60 for junior members.',
      reason: 'The roof costs more than was thought, and the last change was six years ago.',
    },
    accounts: {
      title: 'Accounts of the year',
      lines: [
        'Subscriptions: 21,480 dollars',
        'Bar: 38,205 dollars',
        'Roof: 31,900 dollars',
        'Left: 6,112 dollars',
      ],
    },
    end: 'Any other business',
  },
  screen: { name: 'Over the bar', place: 'Above the taps' },
  feedback: [
    { message: 'The Negroni is perfect. The draught by table six is not.', rating: 4, name: 'Ruth' },
    { message: 'More skittles, please, and the soup again.', rating: 5 },
    {
      message: 'The second quiz round was read too fast for us at the back.',
      rating: 3,
      contact: 'lee@club.example',
    },
  ],
  films: [
    {
      title: 'Casablanca',
      artist: 'Dooley Wilson',
      songs: ['As Time Goes By', 'It Had to Be You', 'Knock on Wood'],
    },
    {
      title: 'The Third Man',
      artist: 'Anton Karas',
      songs: ['The Harry Lime Theme', 'Café Mozart Waltz'],
    },
    {
      title: 'Stop Making Sense',
      artist: 'Talking Heads',
      songs: ['Psycho Killer', 'Heaven', 'This Must Be the Place'],
    },
  ],
  games: [
    {
      league: 'hockey/nhl',
      home: { id: '16', abbr: 'RED', name: 'Harbor Red Team', short: 'Red Team', color: '8c2f2b' },
      away: { id: '29', abbr: 'BLU', name: 'Valley Blue Team', short: 'Blue Team', color: '004687' },
      channels: [{ name: 'NET1', market: 'national' }],
    },
    {
      league: 'football/nfl',
      home: { id: '3', abbr: 'OAK', name: 'Oak Hill Oaks', short: 'Oaks', color: '1f4d3a' },
      away: { id: '7', abbr: 'GUL', name: 'Bay City Gulls', short: 'Gulls', color: '5a6472' },
      channels: [],
    },
    {
      league: 'hockey/nhl',
      home: { id: '21', abbr: 'MIL', name: 'Mill Town Millers', short: 'Millers', color: 'a86f1c' },
      away: { id: '34', abbr: 'LAK', name: 'Lakeside Pilots', short: 'Pilots', color: '1d2b4f' },
      channels: [],
    },
  ],
};
