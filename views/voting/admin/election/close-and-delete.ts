import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { strong } from '#views/components/slots.ts';
import { askPanel, deletePanel, endingSection } from '#views/voting/admin/sections/ending.ts';
import type { Section } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath, askPath } from '#views/voting/words.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { type ElectionPageProps, numberOfOptions } from './props.ts';

/** The section to close an election early, to copy it, or to delete it. */
export function electionEnding(props: ElectionPageProps): Section | null {
  const { election } = props;
  const { id, status, trial } = election;
  const needs = 'elections:certify';
  return endingSection(
    props,
    status === 'closed'
      ? t('voting-admin.close_and_delete.copy_delete')
      : t('voting-admin.close_and_delete.close_copy_delete'),
    [
      status !== 'closed' && {
        say: t('voting-admin.close_and_delete.close_voting_before_time'),
        href: askPath(election, 'close'),
        label: t('voting-admin.close_and_delete.close'),
        needs,
      },
      !election.void &&
        !trial && {
          say: t('voting-admin.close_and_delete.something_wrong_declare_void_public'),
          href: adminElectionPath(id, 'void'),
          label: t('voting-admin.close_and_delete.declare_void'),
          needs,
        },
      status === 'closed' &&
        !trial && {
          say: t('voting-admin.close_and_delete.vote_again_same_electors_open'),
          href: adminElectionPath(id, 'follow-up'),
          label: t('voting-admin.close_and_delete.vote_again'),
          needs,
        },
      {
        say: t('voting-admin.close_and_delete.make_new_election_like_without'),
        href: adminElectionPath(id, 'clone'),
        label: t('voting-admin.close_and_delete.copy'),
        needs: 'elections:write',
      },
      {
        say: t('voting-admin.close_and_delete.delete_election_everything'),
        href: askPath(election, 'delete'),
        label: t('voting-admin.close_and_delete.delete'),
        needs,
      },
    ],
  );
}

/** The panel that confirms a destructive act. */
export const electionAsk = (props: ElectionPageProps): Html | null =>
  askPanel(props, {
    // A question of a meeting is closed by its chair, and goes with its item.
    ...(!props.meeting && { close: closePanel, delete: deletionPanel }),
    computed: computedPanel,
  });

function closePanel({ election, turnout: { issued, used }, times }: ElectionPageProps): Html {
  if (election.status === 'closed')
    return notice('info', t('voting-admin.close_and_delete.election_closed_already'));
  const without = issued - used;
  const text =
    election.status === 'scheduled'
      ? t('voting-admin.close_and_delete.voting_opens_closed_now_never', { opens: times.opens, issued })
      : without > 0
        ? t('voting-admin.close_and_delete.people_voted_yet_longer_able', { used, issued, without })
        : t('voting-admin.close_and_delete.left_who_vote', { used, issued });
  return confirmPanel({
    title: t('voting-admin.close_and_delete.close_election_now'),
    text: sentences([text, t('voting-admin.close_and_delete.next_ballot_refused_new_dates')]),
    action: adminElectionPath(election.id, 'close'),
    button: t('voting-admin.close_and_delete.close_voting_now'),
  });
}

const OPTIONS: Record<OptionKind, (values: { count: number }) => Words> = {
  candidate: (values) => t('voting-admin.close_and_delete.candidates', values),
  option: (values) => t('voting-admin.close_and_delete.options', values),
};

function deletionPanel(props: ElectionPageProps): Html {
  const { election, turnout, ballots, manual } = props;
  const kind = rulesOf(election.ballot_type).options?.kind;
  const goes = [
    t('voting-admin.close_and_delete.voting_codes', { issued: turnout.issued }),
    t('voting-admin.close_and_delete.ballots', { ballots }),
    ...(kind ? [OPTIONS[kind]({ count: numberOfOptions(election) })] : []),
    ...(turnout.invited === 0
      ? []
      : [t('voting-admin.close_and_delete.invitations', { invited: turnout.invited })]),
    ...(manual ? [t('voting-admin.close_and_delete.certified_results')] : []),
  ];
  const leavesTrace = ballots > 0 && !election.trial;
  return deletePanel(props, {
    leavesTrace,
    text: html`${t('voting-admin.close_and_delete.also_deletes_result_links_handed', { goes: strong(allOf(goes)) })} ${
      leavesTrace
        ? t('voting-admin.close_and_delete.public_page_keeps_title_dates')
        : t('voting-admin.close_and_delete.audit_log_keeps_existed')
    }`,
  });
}

function computedPanel({ election: { id }, manual, ballots }: ElectionPageProps): Html {
  if (!manual) return notice('info', t('voting-admin.close_and_delete.result_counted_already'));
  return confirmPanel({
    title: t('voting-admin.close_and_delete.go_back_counted_result'),
    text: html`${t('voting-admin.close_and_delete.certified_figures_go_contests_items', { strong, contests: manual.contests, items: manual.items, ballots })}`,
    action: adminElectionPath(id, 'manual-results?_method=DELETE'),
    button: t('voting-admin.close_and_delete.delete_certified_figures'),
  });
}
