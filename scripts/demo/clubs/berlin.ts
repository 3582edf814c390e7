// A club in Berlin: German text, dates and numbers, a 24-hour clock, its own accent colour, soccer on the screen.
import type { DemoClub } from './club.ts';

export const BERLIN: DemoClub = {
  settings: {
    club_name: 'Clubhaus am Ufer e. V.',
    short_name: 'Clubhaus',
    about: 'Das Haus am Kanal, in dem der Verein tagt und trinkt.',
    contact: 'vorstand@club.example',
    locale: 'de-DE',
    time_zone: 'Europe/Berlin',
    accent: '#1c5d80',
    sports_leagues: 'soccer/ger.1,soccer/uefa.champions',
    weather: { place: 'Berlin', lat: 52.49, lon: 13.44 },
  },
  people: [
    'Anke Thorbrügge',
    'Björn Lindner',
    'Cem Öztürk',
    'Ines Albrecht',
    'Jörg Pankow',
    'Ruth Weißhaupt',
  ],
  firstNames:
    'Alma Aylin Barbara Bernd Cordula Dennis Dörte Emre Esther Felix Frieda Gesine Günther Hanna Hülya ' +
    'Ingo Irmgard Jakob Jürgen Käthe Kerstin Lars Lieselotte Luise Marek Mehmet Moritz Nadja Nele Ömer ' +
    'Ottilie Paula Rainer Renate Sören Susanne Till Ulrike Volker Zoë',
  lastNames:
    'Ahrens Arslan Bäcker Baumgärtner Busch Çelik Dittrich Ebert Fröhlich Gärtner Großmann Hartwig Heß ' +
    'Hübner Jahnke Kaya Köhler Krüger Kühn Lehmann Löffler Maaß Möller Nowak Pohl Reißig Richter Rößler ' +
    'Sander Schäfer Schönfeld Strauß Thiele Tietz Unger Voß Weiß Winkler Yıldız Zimmermann',
  kinds: ['Mitglied', 'Jugendmitglied', 'Ehrenmitglied'],
  group: 'Vorstand und Beirat',
  tenders: [
    {
      name: 'Margarete Dähnhardt',
      bio: 'Kam für einen Sommer und blieb elf Jahre. Weiß, wo jeder Schlüssel hängt.',
      tips: ['margarete@club.example', '@margarete-zapft'],
    },
    {
      name: 'Tom Varga',
      bio: 'Zapft ein ordentliches Pils und stellt die Fragen beim Quiz. Kennt jeden Kegel auf der Bahn.',
      tips: ['tom@club.example', '@tom-varga'],
    },
    {
      name: 'Ines Albrecht',
      bio: 'Tagsüber Schatzmeisterin. Mischt den besten Negroni diesseits der Spree.',
      tips: ['ines@club.example', 'https://pay.example/ines'],
    },
    {
      name: 'Salomon Adeyemi',
      bio: 'Donnerstags am Bass der Hausband, an den anderen Tagen am Hahn.',
      tips: ['salomon@club.example', '@sol-low-end'],
    },
  ],
  hours: { note: 'Die Küche schließt um 22 Uhr.', early: 'Heute früher geöffnet', closed: 'Inventur' },
  events: (at) => [
    {
      title: 'Zeitung und Kaffee am Ofen',
      description: 'Kaffee, bis es Bier wird.',
      place: 'Pub',
      ...at.soon(-1, 2),
    },
    {
      title: 'Quiz: Flüsse, Könige und Käse',
      description: 'Vier in einer Gruppe. Tom fragt.',
      place: 'Pub',
      ...at.weekly(1, 2),
    },
    {
      title: 'Die Hausband spielt',
      description: 'Bekanntes, und ein Stück von ihnen.',
      place: 'Pub',
      drawing: 'band',
      ...at.soon(3, 2),
    },
    {
      title: 'Kegeln, Ligaabend',
      description: 'Schuhe gibt es an der Bahn.',
      place: 'Pub, Kegelbahn',
      ...at.on(at.since('TH'), '18:00', '22:00'),
      rule: 'FREQ=WEEKLY;BYDAY=TH',
      until: at.day(90),
      changes: {
        [at.next('TH')]: {
          as: 'changed',
          time: '19:00',
          note: 'Eine Stunde später: die Dachdecker räumen auf.',
        },
      },
    },
    {
      title: 'Weinausschuss: Rote, verdeckt verkostet',
      description: 'Bitte einen Bleistift mitbringen.',
      place: 'Bibliothek',
      tag: 'rc-direct',
      ...at.on(at.since('TU'), '19:00', '21:00'),
      rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
    },
    {
      title: 'Weihnachtsmarkt im Hof',
      description: 'Den ganzen Tag, unter den Laternen.',
      place: 'Pub, Hof',
      date: at.day(4),
      announce_from: at.day(-3),
    },
    {
      title: 'Stiftungsfest mit Abendessen',
      description: 'Vier Gänge und eine kurze Rede.',
      place: 'Pub, großer Saal',
      ...at.on(at.day(6), '19:30', '23:00'),
    },
    {
      title: 'Film: Der dritte Mann',
      description: 'Auf der großen Leinwand.',
      place: 'Pub',
      ...at.on(at.day(8), '20:00', '22:00'),
    },
  ],
  currency: 'EUR',
  menu: [
    {
      title: 'Vom Fass',
      kind: 'drinks',
      on_tap: true,
      items: [
        {
          name: 'Uferhelles',
          maker: 'Brauerei Südstern',
          style: 'Helles',
          abv: 4.9,
          size: '0,5 l',
          price: 480,
        },
        { name: 'Kreuzberger Rotes', style: 'Rotbier', abv: 5.4, size: '0,5 l', price: 520 },
        { name: 'Apfelschorle', size: '0,4 l', price: 350 },
      ],
    },
    {
      title: 'Küche',
      kind: 'food',
      items: [
        { name: 'Kartoffelsuppe', size: 'Teller', price: 690 },
        { name: 'Brezel', size: 'Stück', price: 250 },
      ],
    },
  ],
  announcements: (at) => [
    {
      title: 'Das Dach ist dicht',
      text: 'Die Kegelbahn ist wieder trocken. Erste Kugel am Samstag, mit Suppe.',
      priority: 'high',
      drawing: 'roof',
    },
    {
      title: `Bis ${at.weekday(3, 'de')} wählen`,
      text: 'Vorstand und Beirat wählen das Schatzmeisteramt. Der Link steht in der Mail.',
      priority: 'urgent',
      until: at.day(3),
    },
    {
      title: 'Suppe und Brot für 5,50 €',
      text: 'Werktags von 12 bis 18 Uhr.',
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      between: { from: '12:00', to: '18:00' },
      seconds: 12,
    },
  ],
  pictures: {
    roof: 'Das ausgebesserte Dach der Kegelbahn am Abend',
    band: 'Drei Leute auf der kleinen Bühne',
  },
  neighbour: {
    name: 'Ruderverein gegenüber',
    prefix: 'Ruderverein:',
    events: (at) => [
      {
        title: 'Anrudern für alle',
        place: 'Bootshaus, Uferweg 4',
        ...at.on(at.since('SA'), '11:00', '15:00'),
        rule: 'FREQ=WEEKLY;BYDAY=SA',
      },
      {
        title: 'Lagerfeuer am Steg',
        place: 'Bootshaus, Uferweg 4',
        ...at.on(at.day(1), '17:00', '20:00'),
      },
    ],
  },
  workspace: {
    events: (at) => [
      {
        title: 'Spätfilm von gestern',
        text: 'Zwölf blieben bis zum Schluss.',
        ...at.on(at.day(-1), '20:00', '23:00'),
      },
      {
        title: 'Der Klavierstimmer kommt',
        text: 'Die Musik pausiert für eine Stunde.',
        ...at.on(at.day(2), '15:00', '16:00'),
      },
    ],
    announcement: {
      title: 'Vermisst: ein Schirmgriff aus Messing',
      text: 'Er sieht aus wie ein Reiher und fehlt uns.',
    },
  },
  elections: {
    president: {
      title: 'Vorsitz des Vereins 2027',
      options: [
        'Anke Thorbrügge',
        'Björn Lindner',
        'Cem Öztürk',
        'Dorothea von Rennenkampff',
        'Emeka Adeyemi',
      ],
    },
    treasurer: {
      title: 'Schatzmeisteramt',
      description: 'Zwei Jahre, ab Januar. Es wählen Vorstand und Beirat.',
      options: [
        'Ines Albrecht',
        'Franziska „Franzi“ Oßwald',
        'Gustav Marten',
        'Dorothea von Rennenkampff-Wittgenstein',
        'Jörg Pankow',
      ],
      about: [
        'Führte neun Jahre die Kasse der Kegler.\nMag Quittungen.',
        'Leitete eine Bäckerei, dann eine Bankfiliale. Will alle Zahlen auf einer Seite.',
        'Ingenieur. Würde zuerst die Kasse reparieren.',
        'Saß dem Büchereifonds vor. Kennt alle Spender beim Namen.',
        'Prüft zwei Stiftungen. Schläft gut.',
      ],
    },
    budget: {
      title: 'Beschließt der Verein den Haushalt 2027?',
      description:
        'Die Schatzmeisterin bittet um 48.200 Euro, 3,1 Prozent mehr als in diesem Jahr.\nDas meiste ist das ' +
        'neue Dach über der Kegelbahn.\n\nAlle Zahlen stehen im Dokument darunter.',
      attachment_url: 'https://club.example/papers/haushalt-2027.pdf',
    },
    trip: {
      title: 'Wohin geht der Sommerausflug?',
      options: ['Spreewald mit Kahnfahrt', 'Rheinsberg mit der Bahn', 'Usedom', 'Zu Hause bleiben'],
    },
    evenings: {
      title: 'Welche Abende passen für das Quiz?',
      options: ['Dienstag', 'Mittwoch', 'Donnerstag', 'Sonntagnachmittag'],
    },
    sundays: { title: 'Schließt die Bar sonntags um Mitternacht?' },
    steward: { title: 'Hauswart 2027' },
    rooms: {
      title: 'Welcher Raum wird zuerst gestrichen?',
      options: ['Die Bibliothek', 'Das Billardzimmer', 'Das Terrassenzimmer', 'Der Keller', 'Die Küche'],
    },
    dogs: { title: 'Dürfen Hunde in den Schankraum?' },
    dinner: {
      title: 'Hauptgang beim Stiftungsfest',
      options: ['Gänsebraten', 'Nussbraten', 'Zander'],
    },
    guests: { title: 'Ändern sich die Regeln für Gäste?' },
    committee: {
      title: 'Beirat, drei Sitze',
      options: [
        'Anke Thorbrügge',
        'Björn Lindner',
        'Cem Öztürk',
        'Gesine Pankow',
        'Hülya Marten',
        'Jakob Oßwald',
      ],
    },
    trustees: {
      title: 'Kuratorium des Büchereifonds',
      options: ['Ines Albrecht', 'Jörg Pankow', 'Ruth Weißhaupt', 'Marek Lindner'],
    },
  },
  board: {
    title: 'Vorstandswahl 2027',
    chair: {
      title: 'Vorsitz',
      candidates: ['Anke Thorbrügge', 'Cem Öztürk', 'Ines Albrecht', 'Jörg Pankow', 'Ruth Weißhaupt'],
    },
    committee: {
      title: 'Beisitz, drei Plätze',
      candidates: [
        'Björn Lindner',
        'Dörte Marten',
        'Emre Öztürk',
        'Frieda Adler',
        'Günther Lorenz',
        'Hanna Brandt',
      ],
    },
    treasurer: { title: 'Wird Gustav Marten Schatzmeister?' },
    rules: {
      title: 'Dürfen Versammlungen per Video stattfinden?',
      description: '§ 14 lautet dann: „Mitglieder nehmen im Saal oder per Video teil.“',
    },
  },
  paper: {
    title: 'Mitgliederversammlung, auf Papier gezählt',
    certified_by: 'Ines Albrecht und Tom Varga, Wahlleitung',
    notes: 'Zweimal in der Bibliothek gezählt.\n\nEin Zettel war leer.',
    contests: [
      {
        label: 'Stellvertretender Vorsitz',
        items: [
          { label: 'Josefine Marlow', votes: 61 },
          { label: 'Artur Pym', votes: 38 },
        ],
      },
      {
        label: 'Jahresabschluss 2025',
        items: [
          { label: 'Angenommen', votes: 97 },
          { label: 'Abgelehnt', votes: 2 },
        ],
      },
    ],
  },
  meeting: {
    title: 'Mitgliederversammlung',
    place: 'Bibliothek',
    discharge: {
      title: 'Entlastung des Vorstands',
      text: 'Die Versammlung entlastet den Vorstand für das vergangene Jahr.',
      mover: 'Ruth Weißhaupt, Kassenprüferin',
    },
    committee: {
      title: 'Vorstand, drei Sitze',
      about: [
        'Würde die Bibliothek sonntags öffnen.',
        'Führt die Kegelliga und ihre Tabelle.',
        'Will erst das Dach, dann die Teppiche.',
        'Seit vier Jahren in der Kasse. Würde weitermachen.',
        'Neu hier und hat Zeit.',
      ],
    },
    rules: {
      title: 'Satzungsänderung: Gäste',
      text: 'Alt: Ein Mitglied darf zwei Gäste mitbringen.\nNeu: Ein Mitglied darf vier Gäste mitbringen und trägt sie ein.',
      mover: 'Cem Öztürk',
    },
    handedIn: {
      title: 'Jahresbeitrag von 120 Euro',
      text: 'Ab Januar beträgt der Beitrag 120 Euro im Jahr, für Jugendliche 60 Euro.',
      reason: 'Das Dach kostet mehr als gedacht, und der Beitrag ist seit sechs Jahren derselbe.',
    },
    accounts: {
      title: 'Kassenbericht',
      lines: ['Beiträge: 21.480 Euro', 'Bar: 38.205 Euro', 'Dach: 31.900 Euro', 'Übrig: 6.112 Euro'],
    },
    end: 'Verschiedenes',
  },
  screen: { name: 'Über der Bar', place: 'Über den Zapfhähnen' },
  feedback: [
    { message: 'Der Negroni ist vorzüglich. An Tisch sechs zieht es.', rating: 4, name: 'Ruth' },
    { message: 'Bitte mehr Kegeln, und wieder die Suppe.', rating: 5 },
    {
      message: 'Die zweite Quizrunde ging für uns hinten zu schnell.',
      rating: 3,
      contact: 'joerg@club.example',
    },
  ],
  films: [
    {
      title: 'Der blaue Engel',
      artist: 'Friedrich Hollaender',
      songs: [
        'Ich bin von Kopf bis Fuß auf Liebe eingestellt',
        'Kinder, heut’ abend',
        'Ich bin die fesche Lola',
      ],
    },
    {
      title: 'Der dritte Mann',
      artist: 'Anton Karas',
      songs: ['The Harry Lime Theme', 'Café Mozart Waltz'],
    },
    { title: 'Der Himmel über Berlin', artist: 'Crime & the City Solution', songs: ['Six Bells Chime'] },
  ],
  games: [
    {
      league: 'soccer/ger.1',
      home: { id: '131', abbr: 'HAF', name: 'Hafen 09', short: 'Hafen 09', color: '8c2f2b' },
      away: { id: '132', abbr: 'UNN', name: 'Union Nord', short: 'Union Nord', color: '004687' },
      channels: [{ name: 'Kanal 1', market: 'national' }],
    },
    {
      league: 'soccer/uefa.champions',
      home: { id: '141', abbr: 'SPR', name: 'Spreestadt Kickers', short: 'Spreestadt', color: '1f4d3a' },
      away: { id: '142', abbr: 'LAG', name: 'Lagune 1907', short: 'Lagune', color: '5a6472' },
      channels: [],
    },
    {
      league: 'soccer/ger.1',
      home: { id: '151', abbr: 'MUH', name: 'Mühlenbeck 74', short: 'Mühlenbeck', color: 'a86f1c' },
      away: { id: '152', abbr: 'SEE', name: 'SV Seenland', short: 'Seenland', color: '1d2b4f' },
      channels: [],
    },
  ],
};
