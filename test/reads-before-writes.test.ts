// What is read to decide a write is read in its transaction. A function that reads by `ctx.db` and then writes stands
// here with the reason why that is sound.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SRC = path.join(import.meta.dirname, '../src');

const LOOKS_AGAIN = 'the transaction looks again at what decides';
const JOB = 'a job: what changes meanwhile is met by its next run';
const CLAIM = 'the write is a conditional UPDATE, or does nothing twice';
const LOG = 'the read is what is answered; the write is its entry in the log';
const PAGES = 'several routes: those that read do not write';

const REVIEWED: Record<string, string> = {
  'calendar/feed/feed:ProgrammeFeed': JOB,
  'content/import/import:importWorkspace': LOOKS_AGAIN,
  'content/pictures/pictures:addPicture': LOOKS_AGAIN,
  'content/pictures/retention:deleteUnusedPictures': LOOKS_AGAIN,
  'kernel/db/facts/record:watchFacts': 'at the start, before there are requests',
  'kernel/db/restored:recordRestored': LOOKS_AGAIN,
  'kernel/db/settings:adoptPriceUnit': LOOKS_AGAIN,
  'kernel/http/once:forgetAnswers': CLAIM,
  'kernel/mail/sender:beginDueMails': LOOKS_AGAIN,
  'kernel/workspace/stored-source:StoredSource': 'a copy of another service, which one reader refreshes',
  'meetings/agenda:addItem': 'a question is planned with what the meeting asks for as the request arrives',
  'meetings/agenda:updateItem':
    'a question is planned first; the transaction looks again at the item and the meeting',
  'meetings/minutes/asking:askFor': LOOKS_AGAIN,
  'meetings/minutes/versions:signMinutes': LOOKS_AGAIN,
  'meetings/motions/decisions:decideMotion': LOOKS_AGAIN,
  'meetings/nominations/answers:answerNomination': LOOKS_AGAIN,
  'meetings/room/follow-up:followUpInMeeting': LOOKS_AGAIN,
  'meetings/room/motion:openMotion': 'as addItem; the transaction looks again at the meeting',
  'meetings/room/room:noteRemote': LOOKS_AGAIN,
  'meetings/room/screens:hideWall': 'reads only whether the meeting exists',
  'people/approvals/approvals:forgetOldApprovals': CLAIM,
  'people/approvals/approvals:requireApproval':
    'stores a request; the confirmation claims it and checks both people',
  'people/erase/finish:eraseAgain': LOOKS_AGAIN,
  'people/export/own-data:exportPerson': LOG,
  'people/export/roll-csv:exportRoll': LOG,
  'people/recovery-codes:signInByRecoveryCode': LOOKS_AGAIN,
  'people/sign-in-links:makeSignInLink': 'by a script: whoever has the address now',
  'people/sign-in:useCode': LOOKS_AGAIN,
  'pub/devices/pairings:pollPairing': CLAIM,
  'pub/devices/screen-admin:changeScreen': LOOKS_AGAIN,
  'pub/devices/web-pages:lookAtPages': JOB,
  'pub/plays/scrobble-queue:takeDue': JOB,
  'pub/plays/scrobble-sender:scrobbleSender': JOB,
  'pub/plays/scrobble-sender:waitForReceiver': JOB,
  'pub/screen/now-showing:updateNowShowing': CLAIM,
  'pub/screen/scoreboard-refresh:refresh': JOB,
  'pub/setlist/rollups/job:markNewPlays': JOB,
  'pub/setlist/rollups/job:refreshRollups': JOB,
  'routes/content/mails:mails': PAGES,
  'routes/people/me:me': PAGES,
  'routes/people/oidc:confirm': 'a session that ended meanwhile is not renewed',
  'routes/people/oidc:meOidc': PAGES,
  'routes/voting/elections/approvals:approvals': PAGES,
  'voting/counting/lots:drawLot': LOOKS_AGAIN,
  'voting/counting/recheck:recheckResult': LOOKS_AGAIN,
  'voting/counting/sealing:seal': LOOKS_AGAIN,
  'voting/counting/settled-result:storeVoidBooks': LOOKS_AGAIN,
  'voting/counting/settled-result:settleResult': LOOKS_AGAIN,
  'voting/elections/clone:cloneElection': LOOKS_AGAIN,
  'voting/elections/lifecycle:openAndCloseDue': LOOKS_AGAIN,
  'voting/elections/options:changeOption': LOOKS_AGAIN,
  'voting/elections/options:withdrawOption': LOOKS_AGAIN,
  'voting/elections/question:recordOpenQuestions': LOOKS_AGAIN,
  'voting/counting/void-and-repeat:voidAndRepeat': LOOKS_AGAIN,
  'voting/elections/workspace-link:linkElection': 'whether an election is a trial never changes',
  'voting/elections/workspace-link:sync': CLAIM,
  'voting/invitations/failed-again:mailFailedAgain': 'the kind of a mailing never changes',
  'voting/invitations/invitation-runs:continueMailings': JOB,
  'voting/invitations/invitation-runs:storeInvitations': LOOKS_AGAIN,
  'voting/invitations/invites:deleteClosedLinks': JOB,
  'voting/invitations/invites:deleteLinks': CLAIM,
  'voting/invitations/slips:openSlips': CLAIM,
  'voting/ballot-papers/questions:addQuestion': LOOKS_AGAIN,
};

/** The declarations of a file at its top level, by name. */
function* declarations(text: string): Generator<[name: string, body: string]> {
  for (const body of text.split(/^(?=(?:export )?(?:async )?(?:function|const|class|interface|type)\b)/m)) {
    const [, name] = /^(?:export )?(?:async )?(?:function|const|class)\s+(\w+)/.exec(body) ?? [];
    if (name !== undefined) yield [name, body];
  }
}

const READS = /\bctx\.db\b|[({,]\s*db\s*[,})]/;
const WRITES = /\bctx\.write\(|\bwrite\(\(/;

test('a function that reads outside the transaction in which it then writes was reviewed', () => {
  const found = fs
    .readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...declarations(fs.readFileSync(path.join(SRC, file), 'utf8'))]
        .filter(([, body]) => {
          const [read, write] = [body.search(READS), body.search(WRITES)];
          return read >= 0 && read < write;
        })
        .map(([name]) => `${file.replaceAll(path.sep, '/').replace(/\.ts$/, '')}:${name}`),
    );
  expect(found.toSorted()).toEqual(Object.keys(REVIEWED).toSorted());
});
