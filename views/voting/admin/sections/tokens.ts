import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import { confirmPanel, field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { hidden, linkTo, strong } from '#views/components/slots.ts';
import { numberedPages } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import { invitesPath } from '#views/voting/admin/invitations/invites-path.ts';
import { adminPath, askPath, FEW_WORDS, type Named, sectionPath } from '#views/voting/words.ts';
import { FEW, TOKENS_PER_CALL } from '#voting/ballots/tokens.ts';
import { TRIAL_VOTERS } from '#voting/elections/trials.ts';
import { formOf, type Section } from './forms.ts';
import type { SharedProps, ShownBatch } from './props.ts';

/** The election’s voting codes by batch, and the form that makes more while voting is not over. */
export function tokensSection(props: SharedProps, batches: readonly ShownBatch[]): Section {
  return {
    id: 'tokens',
    title: t('voting-admin.tokens.voting_codes'),
    about: props.election.isPaper
      ? t('voting-admin.tokens.each_votes_once_on_each_question')
      : t('voting-admin.tokens.each_votes_once'),
    work: html`${
      mayDo(props, 'elections:run') &&
      (props.election.status === 'closed'
        ? html`
    <p class="soft">${t('voting-admin.tokens.voting_closed_more_voting_codes', { link: linkTo(sectionPath(props.election, 'dates')) })}</p>`
        : makeForm(props))
    }
${isFew(props, batches) && notice('attention', FEW_WORDS)}
${batches.length === 0 ? html`<p>${t('voting-admin.tokens.voting_codes_yet')}</p>` : batchTable(props, batches)}`,
  };
}

/** Whether so few people can vote that the page says so. */
function isFew({ election }: SharedProps, batches: readonly ShownBatch[]): boolean {
  const codes = batches.reduce((sum, batch) => sum + batch.count, 0);
  return election.status !== 'closed' && codes > 0 && codes < FEW;
}

/** Batches on one page, the newest first. */
const BATCHES = 10;

function batchTable(props: SharedProps, batches: readonly ShownBatch[]): Html {
  const { election, listPage = 1 } = props;
  const page = Math.min(listPage, Math.ceil(batches.length / BATCHES));
  const mayDelete = mayDo(props, 'elections:run');
  const anyInvited = batches.some(({ emails }) => emails.length > 0);
  return html`${table({
    caption: t('voting-admin.tokens.batches_voting_codes'),
    quietCaption: true,
    columns: [
      { label: t('voting-admin.tokens.batch') },
      { label: t('voting-admin.tokens.total'), number: true },
      { label: t('voting-admin.tokens.used'), number: true },
      { label: t('voting-admin.tokens.unused'), number: true },
      { label: t('voting-admin.tokens.made') },
      ...(anyInvited ? [{ label: t('voting-admin.tokens.invited') }] : []),
      ...(mayDelete ? [{ label: t('voting-admin.tokens.delete'), quiet: true }] : []),
    ],
    rows: batches
      .toReversed()
      .slice((page - 1) * BATCHES, page * BATCHES)
      .map((batch) => [
        batch.batch_name ?? html`<span class="soft">${t('voting-admin.tokens.unnamed')}</span>`,
        formatNumber(batch.count),
        batch.used_count === null ? '–' : formatNumber(batch.used_count),
        batch.unused_count === null ? '–' : formatNumber(batch.unused_count),
        html`<span class="cell-when">${batch.created}</span>`,
        ...(anyInvited ? [invited(batch, election)] : []),
        ...(mayDelete ? [deleteLink(election, batch.batch_name)] : []),
      ]),
  })}${
    batches.length > BATCHES &&
    numberedPages({
      page,
      pageSize: BATCHES,
      total: batches.length,
      of: (range) => t('voting-admin.tokens.pages', range),
      href: (at) => sectionPath(election, 'tokens', `?page=${at}`),
    })
  }`;
}

function invited({ emails, batch_name: batch }: ShownBatch, of: Named): Child {
  if (emails.length === 0 || batch === null) return '–';
  return html`<a href="${invitesPath(of, { batch })}">${t('voting-admin.tokens.addresses', { emails: emails.length })}</a>`;
}

function deleteLink(of: Named, name: string | null): Html {
  return html`<a class="button button-text button-small" href="${askPath(of, 'batch', name)}">${name === null ? t('voting-admin.tokens.ask_delete_unnamed_batch', { hidden }) : t('voting-admin.tokens.ask_delete_batch', { hidden, name })}</a>`;
}

function makeForm(props: SharedProps): Html {
  const { at } = formOf(props, 'tokens');
  const { trial } = props.election;
  const most = trial ? TRIAL_VOTERS : TOKENS_PER_CALL;
  return html`<form class="card" method="post" action="${adminPath(
    props.election,
    'tokens',
  )}">${hiddenInputs({ format: 'short' })}
<h3>${t('voting-admin.tokens.make_voting_codes')}</h3>
<div class="field-row">
${field({
  ...at('count'),
  hint: trial
    ? t('voting-admin.tokens.most_in_trial', { most })
    : t('voting-admin.tokens.most_at_once', { most }),
  type: 'number',
  min: 1,
  max: most,
})}
${field({ ...at('batch_name'), optional: true, maxlength: 200 })}
</div>
<p>${t('voting-admin.tokens.shown_once_next_page_stored', { strong })}</p>
<button class="button button-quiet">${t('voting-admin.tokens.make_voting_codes')}</button></form>`;
}

/** Asks before a batch of voting codes is deleted. */
export function batchPanel({ batches, election }: SharedProps, name: string | null): Html {
  const batch = batches?.find(({ batch_name }) => batch_name === name);
  if (batch === undefined) return notice('info', t('voting-admin.tokens.such_batch_any_more'));
  const { count: total, used_count: used } = batch;
  return confirmPanel({
    title:
      name === null
        ? t('voting-admin.tokens.delete_unnamed_batch_question')
        : t('voting-admin.tokens.delete_batch_question', { name }),
    text: html`${(used ?? 0) > 0 ? t('voting-admin.tokens.codes_deleted_some_used', { strong, voting: total, used: used ?? 0 }) : t('voting-admin.tokens.codes_deleted', { strong, voting: total })}`,
    action: adminPath(election, 'batches?_method=DELETE'),
    button: t('voting-admin.tokens.delete_voting_codes', { voting: total }),
    hidden: { batch_name: name ?? '' },
  });
}
