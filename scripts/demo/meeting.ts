// Holds an annual meeting from the call for candidates to its third item, which stays open for the visitor.
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { listMotionSeconders } from '#meetings/motions/motions.ts';
import { listSeconders } from '#meetings/nominations/nominations.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { ACCOUNTS } from './accounts.ts';
import type { DemoClub } from './clubs/club.ts';
import { drawPdf } from './drawings.ts';
import { addressOf, opinions } from './elections.ts';
import type { Service } from './service.ts';

/** Members who come to the meeting. */
const PRESENT = 40;
const PACK = 10;
const SEATS = 3;

/** Seconds between the steps, so that all of them take less than two minutes. */
const PACE = { beforeOpening: 6, ballots: 18, beforeDeclaring: 6 };

export interface Meeting {
  id: string;
  /** The page of a member whose card is not used. */
  page: string;
}

/** What the chair leads; a card votes once on each question. */
interface Room extends Meeting {
  paper: string;
  codes: string[];
  discharge: Question;
  committee: Question & { candidates: string[] };
  rules: Question;
}

interface Question {
  item: string;
  election: string;
}

/** The account with a role. */
const nameOf = (role: string): string => ACCOUNTS.find((account) => account.role === role)!.name;

/** Calls the meeting, takes nominations, and checks in those who come. Nothing is open yet. */
export async function callMeeting(service: Service, club: DemoClub): Promise<Room> {
  const { meeting: words, people } = club;
  const now = service.ctx.now();
  const { id, paper_id } = await service.post('/admin/meetings', {
    title: words.title,
    place: words.place,
    held_at: isoTime(now - (now % HOUR)),
    quorum: 25,
    proxies_per_person: 1,
    // Both have an account: they sign the minutes.
    chair: nameOf('owner'),
    secretary: nameOf('officer'),
    minutes_public: true,
    classes: [club.kinds[0]],
  });
  const base = `/admin/meetings/${id}`;
  const add = async (item: object): Promise<Question> => {
    const made = await service.post(`${base}/items`, item);
    return { item: made.id, election: made.election_id };
  };
  const discharge = await add({ kind: 'motion', ...words.discharge });
  const question = { ballot_type: 'RANKED_STV', settings: { seats: SEATS, allow_blank: true } };
  const committee = await add({ kind: 'election', title: words.committee.title, question });
  const rules = await add({
    kind: 'motion',
    ...words.rules,
    question: { settings: { majority: { share: 'two_thirds' } } },
  });
  await add({ kind: 'text', title: words.end });
  await handIn(service, id, words.handedIn, people.slice(-2));
  const { title, lines } = words.accounts;
  await service.upload(`${base}/documents`, {
    field: 'document',
    bytes: drawPdf(title, lines),
    fields: { title, item: discharge.item },
  });

  const nominees = people.slice(0, words.committee.about.length);
  await nominate(service, { id, ...committee }, nominees, words.committee.about);
  const { election } = await service.get(`/e/${committee.election}`);
  const candidates = election.candidates.map((candidate: { id: string }) => candidate.id);
  await service.post(`${base}/invite`, { emails: people.map(addressOf) });

  const codes = await comeIn(service, base, club.kinds[0]);
  const page = `/m/${id}?t=${codes.pop()}`;
  return { id, page, paper: paper_id, codes, discharge, committee: { ...committee, candidates }, rules };
}

/** Nominates members; each consents and is seconded by the one before, as by the links in their mails. */
async function nominate(
  { ctx, ...service }: Service,
  { id, item }: { id: string; item: string },
  nominees: readonly string[],
  about: readonly string[],
): Promise<void> {
  const address = `/admin/meetings/${id}/items/${item}/nominations`;
  const now = ctx.now();
  const period = { opens_at: isoTime(now - DAY), closes_at: isoTime(now + HOUR) };
  await service.put(address, { ...period, who: 'members', seconders: 1 });
  for (const [at, name] of nominees.entries()) {
    const seconder = addressOf(nominees.at(at - 1)!);
    const own = { name, email: addressOf(name), text: about[at], seconders: [seconder] };
    await service.post(`/m/${id}/nominate/${item}`, own);
  }
  const answer = (of: string, action: string) =>
    service.post(`/m/${id}/nominations/${proposalCode(ctx, of)}`, { action });
  for (const { id: nomination } of (await service.get(address)).nominations) {
    await answer(nomination, 'consent');
    for (const seconder of listSeconders(ctx.db, nomination)) await answer(seconder.id, 'second');
    await service.post(`${address}/${nomination}`, { decision: 'accept' });
  }
}

/** A member hands in a motion, which another one seconds and the officers accept, as by the links in their mails. */
async function handIn(
  { ctx, ...service }: Service,
  id: string,
  words: DemoClub['meeting']['handedIn'],
  [author = '', seconder = '']: readonly string[],
): Promise<void> {
  const address = `/admin/meetings/${id}/motions`;
  const now = ctx.now();
  const period = { opens_at: isoTime(now - DAY), closes_at: isoTime(now + HOUR) };
  await service.put(address, { ...period, who: 'members', seconders: 1 });
  const own = { ...words, name: author, email: addressOf(author), seconders: [addressOf(seconder)] };
  await service.post(`/m/${id}/motions`, own);
  const answer = (of: string, action: string) =>
    service.post(`/m/${id}/motions/${proposalCode(ctx, of)}`, { action });
  for (const { id: motion } of (await service.get(address)).motions) {
    await answer(motion, 'consent');
    for (const one of listMotionSeconders(ctx.db, motion)) await answer(one.id, 'second');
    await service.post(`${address}/${motion}`, { decision: 'accept' });
  }
}

/** Checks in the first members of the roll and opens as many packs of cards. @returns the codes that are handed out */
async function comeIn(service: Service, base: string, cards: string): Promise<string[]> {
  const { people } = await service.get(`${base}/door`);
  const present = people.filter(({ kind }: { kind: string | null }) => kind !== null).slice(0, PRESENT);
  for (const { id } of present) await service.post(`${base}/door`, { person_id: id, action: 'in' });
  const count = Math.ceil(present.length / PACK);
  const { packs } = await service.post(`${base}/packs`, { class: cards, packs: count });
  for (const pack of packs) await service.post(`${base}/packs/${pack.id}/open`);
  return packs
    .flatMap(({ cards }: { cards: { code: string }[] }) => cards.map(({ code }) => code))
    .slice(0, present.length);
}

/**
 * Leads the meeting: a motion and an election are voted on and announced, then a third item is opened and left.
 * @param speed how many times faster than two minutes; infinite: at once
 */
export async function leadMeeting(
  service: Service,
  room: Room,
  speed: number,
  signal: AbortSignal,
): Promise<void> {
  const wait = (seconds: number) =>
    Number.isFinite(speed) ? pause((seconds * 1_000) / speed, undefined, { signal }) : undefined;
  const act = ({ item }: Question, name: string) =>
    service.post(`/admin/meetings/${room.id}/items/${item}/${name}`);
  const vote = async (question: Question, ballots: object[]) => {
    await wait(PACE.beforeOpening);
    await act(question, 'open');
    for (const [at, ballot] of ballots.entries()) {
      await wait(PACE.ballots / ballots.length);
      const body = { token: room.codes[at], answers: { [question.election]: ballot } };
      await service.post(`/p/${room.paper}/vote`, body, { 'edge-connecting-ip': `10.2.0.${at}` });
    }
  };
  const decide = async (question: Question, ballots: object[]) => {
    await vote(question, ballots);
    await act(question, 'close');
    await wait(PACE.beforeDeclaring);
    await act(question, 'declare');
  };
  const all = room.codes.length;
  const choices = (yes: number, no: number) =>
    room.codes.map((_, at) => ({
      choice: at < yes * all ? 'yes' : at < (yes + no) * all ? 'no' : 'abstain',
    }));
  await decide(room.discharge, choices(0.8, 0.1));
  await decide(room.committee, opinions(room.committee.candidates, all));
  await vote(room.rules, choices(0.6, 0.3).slice(0, all / 2));
}
