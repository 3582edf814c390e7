// The text that the demo prints when it is ready.
import path from 'node:path';
import type { Held } from './elections.ts';
import type { Meeting } from './meeting.ts';

interface Places {
  service: string;
  outbox: string;
  held: Held;
  meeting: Meeting;
  /** The file with the published ballots of the big election. */
  ballots: string;
  /** A mail address to sign in with. */
  email: string;
}

export function tellPlaces({ service, outbox, held, meeting, ballots, email }: Places): void {
  console.log(`
Open and look:

  As a member     ${service}/                     what the club decides
                  ${service}${held.ballot}
                                                a ballot of yours, once
                  ${service}${held.paper}
                                                four questions under one code
                  ${service}/e/${held.big}
                                                a result of thousands of ballots, and why
  Check it        ${service}/e/${held.big}/check
                                                with this voter's code: ${held.receipt}
                  npm run recount -- ${path.relative('', ballots)}
  In the pub      ${service}/events  /tenders/  /now  /requests  /feedback
                  ${service}/setlist/top-songs    and what else the music tells
                  ${service}/subscribe-programs   the programme in your calendar
  At the bar      ${service}/menu                 the list; /menu/print on paper, /tv?layout=menu on a TV
  On the walls    ${service}/tv  /tv/bar-right  /tv/projector
                                                Tess fills them: /admin/pub, “Fill the screens”
  At the meeting  ${service}/m/${meeting.id}/wall
                                                its wall: two items in two minutes, then the third waits for you
                  ${service}${meeting.page}
                                                with this card you vote there
                  ${service}/admin/meetings/${meeting.id}/chair
                                                and Olga leads it
  With an account ${service}/demo                 one click: an owner, an officer, behind the bar, a member
                  ${service}/sign-in              or by mail, as ${email}
  The mails       ${outbox}/

Ctrl-C ends it. Its files are in ${path.relative('', path.dirname(ballots))}, made anew at each start.`);
}

export function tellSetUp(places: { service: string; outbox: string; code: string; folder: string }): void {
  console.log(`
A new club. Become its first owner:

  1. Open         ${places.service}/set-up#${places.code}
  2. Its code     ${places.code}, if it is not filled in
  3. Any address will do: every mail is at
                  ${places.outbox}/

Ctrl-C ends it. Its files are in ${path.relative('', places.folder)}, made anew at each start.`);
}
