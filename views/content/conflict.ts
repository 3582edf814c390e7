import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import {
  CONTENT_CRUMB,
  type ContentPageProps,
  contentPage,
  type KindWords,
  kindPath,
  recordPath,
} from './frame.ts';

/** A field that two people changed, with both values in words. */
export interface ConflictingField {
  field: string;
  theirs: Words | string;
  yours: Words | string;
}

/** Shows both values side by side; theirs is preselected. */
export function conflictPage(
  props: ContentPageProps & {
    words: KindWords;
    labels: Readonly<Record<string, Words>>;
    title: Words | string;
    id: string;
    /** The newest version, which the choice is based on. */
    version: number;
    who: string | null;
    conflicts: readonly ConflictingField[];
    /** Everything that was changed in the form, as JSON. */
    changes: string;
    publish: boolean;
  },
): Html {
  const { words, labels, title, id, version, who, conflicts, changes, publish } = props;
  const path = recordPath(words, id);
  const nameOf = (field: string) => {
    const [first = '', ...rest] = field.split('.');
    return commas([ownValue(labels, first) ?? first, ...rest]);
  };
  const side = (field: string, value: 'theirs' | 'yours', label: Words, text: Words | string) =>
    html`<label class="choice content-side"><input type="radio" name="take.${field}" value="${value}"${
      value === 'theirs' && html` checked`
    } aria-labelledby="take.${field}-${value}-name" aria-describedby="take.${field}-${value}-text">
<span class="choice-body"><span class="choice-name" id="take.${field}-${value}-name">${label}</span><span class="choice-note content-text" id="take.${field}-${value}-text">${text || t('content-admin.conflict.nothing')}</span></span></label>`;
  const body = html`${pageHeader({ title, crumbs: [CONTENT_CRUMB, { href: kindPath(words), label: words.many }] })}
<div role="alert">${notice(
    'attention',
    who === null
      ? t('content-admin.conflict.somebody_changed_same_fields_while', { n: conflicts.length })
      : t('content-admin.conflict.changed_same_fields_while_writing', { who, n: conflicts.length }),
    t('content-admin.conflict.changed_meanwhile'),
  )}</div>
<form class="card" method="post" action="${path}/settle">${hiddenInputs({
    version: String(version),
    changes,
    ...(publish && { publish: 'true' }),
  })}
${conflicts.map(
  ({ field, theirs, yours }) =>
    html`<fieldset><legend>${nameOf(field)}</legend>
    <div class="content-sides">${side(
      field,
      'theirs',
      t('content-admin.conflict.theirs'),
      theirs,
    )}${side(field, 'yours', t('content-admin.conflict.yours'), yours)}</div></fieldset>`,
)}
<p class="actions"><button class="button">${
    publish ? t('content-admin.conflict.save_publish') : t('content-admin.conflict.save_draft')
  }</button> <a class="button button-quiet" href="${path}">${t('content-admin.conflict.leave')}</a></p></form>`;
  return contentPage(t('content-admin.conflict.document_title', { title }), body, props);
}
