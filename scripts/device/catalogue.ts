/** A song of the simulated device's catalogue. All names are invented. */
export interface Song {
  artist: string;
  title: string;
  album: string;
  genre: string;
  durationMs: number;
  /** Empty if the recogniser does not know it. */
  isrc: string;
  /** Whether the recogniser finds a cover. */
  hasArt: boolean;
}

/** Artist; genre; album; titles with their lengths. The first rows are played most. */
const SHELF = `
The Lantern Ferry; folk; Low Tide Choir; Harbour Lights 3:41, Cut the Rope 2:58, Salt in the Coffee 4:12, Nobody's Lighthouse 3:27
Marguerite Vance; soul; Sunday Clothes; Tell It to the Barman 3:19, Sunday Clothes 4:02, Half Past Leaving 3:36, The Good Umbrella 2:51
Brass Orchard; rock; Windfall; Windfall 3:33, Ladders 4:18, Red Gate 3:05, Every Wasp in September 4:44
Polly and the Undertow; indie; Postcards to No One; Slow Boat 3:58, Postcards to No One 3:14, Kite Weather 2:47, Paper Anchor 4:06
DJ Foxglove; electronic; Night Bus Atlas; Night Bus N29 5:21, Amber Signal 6:03, Last Stop 4:55, Wet Neon 5:38
Otis Merriweather; blues; Whole Lot of Rent; Whole Lot of Rent 3:48, Landlord Shuffle 3:22, Seven Dollar Guitar 4:31, Mercy Street Diner 3:57
Casa Turquesa; latin; Verano Lento; Verano Lento 3:44, Llueve en Mi Calle 4:01, Azúcar y Sal 3:12, Canción del Balcón 3:39
The Second Verse; pop; Chorus Line; Chorus Line 3:08, Sing It Wrong 2:54, Don't Play That One 3:21, Encore (Again) 3:47
Harriet Quill; folk; Small Hours; Small Hours 4:25, The Beekeeper's Daughter 3:52, Thistledown 3:03, Letters in the Flour 4:37
Velvet Turnstile; rock; Exact Change; Exact Change 2:44, Platform Nine O'Clock 3:18, Mind the Gap Year 3:02, Turnstile 4:09
Kingston Row; reggae; Front Step; Front Step 4:14, Easy on the Kettle 3:46, Borrowed Sunshine 4:33, Roots and Radiators 5:02
Ada Lindqvist; pop; Snow Globe; Snow Globe 3:26, Glass Elevator 3:11, Forty Winks 3:35, Northern Line, Southern Heart 3:54
The Mild Peril; punk; Health and Safety; Trip Hazard 2:03, Wet Floor 1:58, Fire Door Keep Shut 2:21, Assembly Point 2:36
Solomon Grey Quartet; jazz; After the Interval; After the Interval 6:12, Coat Check 5:07, Blue Ticket Stub 7:21, Usher's Waltz 4:58
Nightjar Parade; indie; Hedgerow Disco; Hedgerow Disco 3:39, Moth Season 4:11, Barn Dance in Space 3:28, Soft Landing 3:50
Cinder & Wells; country; Two Lane Hymnal; Two Lane Hymnal 3:33, Gas Station Roses 3:17, My Truck Left Me 2:59, County Line 4:05
Mika Tanabe; electronic; Vending Machine Moon; Vending Machine Moon 4:44, 終電のあと 5:16, Convenience 3:42, 雨の自動販売機 4:27
Big Pearl Hudson; soul; Kitchen Dancing; Kitchen Dancing 3:24, Onion Tears 3:09, Who Left the Record On 3:41, Second Helping 2:56
Wolf in the Choir; rock; Cathedral Parking; Cathedral Parking 4:51, Teeth 3:13, The Sermon Ran Long 5:34, Bells, Bells, Bells 3:45
Teodora Kovač; folk; Planinska Pisma; Planinska pisma 4:02, Vrana na kapiji 3:31, Zimski hleb 3:48, Poslednji autobus 4:19
Plain Biscuit; hip hop; Elevenses; Elevenses 2:49, Dunk 2:38, Crumbs on the Beat 3:05, Tin Lid 3:16
Sister Halcyon; soul; Kingfisher Blue; Kingfisher Blue 4:08, River Manners 3:37, Still Water Club 4:22, Halcyon Days Off 3:29
Ground Floor Heroes; punk; No Lift Here; No Lift Here 2:12, Neighbours! 1:49, Bin Day 2:27, The Stairs 2:05
Аня Лебедь; indie; Белые ночи наизусть; Белые ночи наизусть 4:16, Трамвай до рассвета 3:44, Чай с чабрецом 3:20, Окно во двор 3:58
The Tuesday Club Orchestra; jazz; Matinee; Matinee 3:52, Gin and Ginger 4:27, The Cloakroom Rag 2:58, Foxtrot for Two Left Feet 3:34
Ember Coast; pop; Deck Chairs; Deck Chairs 3:15, Pier Pressure 2:57, Candyfloss Sky 3:23, Out of Season 3:48
Ruben Achterberg; electronic; Polder; Polder 6:31, Dijk 5:44, Flat Horizon 7:08, Windmill Delay 5:59
Haversack; country; Muddy Boots at the Door; Muddy Boots at the Door 3:28, Kindling 3:51, Dog Knows the Way 3:04, Long Way Round 4:13
Layla Mansour; world; بيت على البحر; بيت على البحر 4:38, قهوة الصباح 3:57, Cedar Song 4:21, ليل طويل 5:03
Static Mothers; metal; Iron Pram; Iron Pram 4:49, Lullaby in Drop D 5:26, Teething 3:33, School Run of the Damned 6:14
Oyster Card; hip hop; Tap In; Tap In 2:56, Zone Six Flow 3:18, Peak Fare 3:01, Replacement Bus 3:40
The Improbable Weather; indie; A Complete and Entirely Unreliable Guide to the Coastal Footpaths of Our Youth; Scattered Showers 3:46, An Open Letter to Whoever Took My Good Pen from the Reception Desk Last Thursday 4:53, Isobars 3:09, Bright Spells Later 4:00
Nana Akosua Band; world; Market Day; Market Day 5:11, Tro-Tro 4:36, Highlife Address 6:02, Palm Wine Telephone 4:48
Gideon Frost; blues; Cold Front Porch; Cold Front Porch 4:20, Ice House Key 3:38, Frostbite Boogie 2:55, Thaw 5:13
서울 우체국; pop; 보내지 못한 편지; 보내지 못한 편지 3:32, 우산 두 개 3:14, Night Market 3:27, 막차 3:49
Copper Kettle Drums; reggae; Steel Sunday; Steel Sunday 4:06, Mango Lane 3:53, Boil Over 3:25, Kettle Dub 5:17
`;

export const CATALOGUE: readonly Song[] = SHELF.trim().split('\n').flatMap(songsOf);

function songsOf(row: string, index: number): Song[] {
  const [artist = '', genre = '', album = '', titles = ''] = row.split('; ');
  return [...titles.matchAll(/(.+?) (\d+):(\d\d)(?:, |$)/g)].map(
    ([, title = '', minutes, seconds], track) => ({
      artist,
      title,
      album,
      genre,
      durationMs: (Number(minutes) * 60 + Number(seconds)) * 1_000,
      // XX is not a country code, so no real recording has such an ISRC.
      isrc: (index + track) % 5 === 4 ? '' : `XXPHS26${String(index * 10 + track).padStart(5, '0')}`,
      hasArt: index % 6 !== 5,
    }),
  );
}
