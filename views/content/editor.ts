import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredText } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { linkTo } from '#views/components/slots.ts';
import { pageHeader, subPageHeader, subPages } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import type { FieldsProps } from './fields/parts.ts';
import {
  CONTENT_CRUMB,
  type ContentPageProps,
  contentPage,
  type KindWords,
  kindPath,
  mayWrite,
  recordPath,
  stateBadge,
} from './frame.ts';
import { type HistoryLine, historyTable } from './history.ts';

/** The parts of the form of a kind. */
export interface FormParts {
  words: KindWords;
  labels: Readonly<Record<string, Words>>;
  fields: (props: FieldsProps) => Html;
  /** Whether it has a field for a picture, so that it is sent as a form with files. */
  takesPicture?: boolean;
  /** Whether it has no times, so that the time zone is not named. */
  timeless?: boolean;
  /** Browser modules of views/assets that its fields need, in addition to those of every form. */
  scripts?: readonly string[];
  /** Returns the id of the field that a problem belongs to. */
  idOf(path: string): string;
}

export interface EditorProps extends ContentPageProps, FormParts {
  values: Entered;
  tenders: FieldsProps['tenders'];
  screens: FieldsProps['screens'];
  picture: FieldsProps['picture'];
  menu?: FieldsProps['menu'];
  /** In words: `Times are the pub’s: New York.` */
  zone: Words;
  refused?: RefusedForm | undefined;
  /** Shown above the form. */
  panel?: Html | undefined;
}

/** The pages about a record, by what their addresses end with. */
export const RECORD_PARTS = ['', 'dates', 'history'] as const;
export type RecordPart = (typeof RECORD_PARTS)[number];

/** A record with the actions on it. */
export interface RecordPageProps extends EditorProps {
  title: Words | string;
  record: {
    id: string;
    version: number;
    state: 'draft' | 'published' | 'changed' | 'removed';
    /** In words. */
    changed: Words;
    history: readonly HistoryLine[];
  };
  /** The version that the form was opened with, where it is not the newest. */
  opened?: number | undefined;
  done?: { sentence: Words; undo: boolean } | undefined;
  /** What guests do not see because of it, and where that is put right. */
  effects: readonly { text: Words | string; href?: string; label?: Words | string }[];
  /** Which of the pages about it is shown: its form, the dates of a series, or its history. */
  part: RecordPart;
  /** The dates of a series; undefined for any other record. */
  dates?: Html | undefined;
  /** The address of the preview; absent for kinds without a slide, and beside a form that was refused. */
  preview?: string | undefined;
}

/** The form for a new record. */
export function newRecordPage(props: EditorProps): Html {
  const { words, refused } = props;
  const title = words.create;
  const crumbs = [CONTENT_CRUMB, { href: kindPath(words), label: words.many }];
  return contentPage(
    title,
    html`${pageHeader({ title, crumbs })}${refusedNotice(
      refused,
      props.labels,
      props.idOf,
      'saved',
    )}${props.panel}${form(props, kindPath(words))}`,
    { ...props, scripts: scriptsOf(props) },
  );
}

/** A record: its form, the dates of a series, or its history. */
export function recordPage(props: RecordPageProps): Html {
  const { words, record, title, refused, done, dates } = props;
  const { id, version, state, changed } = record;
  const path = recordPath(words, id);
  const write = mayWrite(props);
  const crumbs = [CONTENT_CRUMB, { href: kindPath(words), label: words.many }];
  const publish =
    write &&
    (state === 'draft' || state === 'changed') &&
    step(path, 'publish', version, t('content-admin.editor.publish'), 'button-quiet');
  const undo =
    done?.undo && write && state !== 'changed'
      ? step(path, 'undo', version, t('content-admin.editor.undo'), 'button-quiet')
      : null;
  const parts: Record<RecordPart, { label: Words; content: () => Html }> = {
    '': { label: words.one, content: () => editPart(props) },
    dates: { label: t('content-admin.editor.next_dates'), content: () => html`${dates}` },
    history: { label: t('content-admin.editor.history'), content: () => historyPart(props) },
  };
  const shown = RECORD_PARTS.filter((part) => part !== 'dates' || dates !== undefined);
  const part = shown.includes(props.part) ? props.part : '';
  const pathOf = (one: RecordPart) => `${path}${one && `/${one}`}`;
  const body = html`${subPageHeader({
    title,
    crumbs,
    state: html`${stateBadge(state)} ${t('content-admin.editor.changed', { changed })}`,
    first: part === '' ? undefined : path,
    actions: publish || null,
  })}
${doneNotice(done?.sentence)}${undo}${props.effects.map(
  ({ text, href, label }) =>
    html`<p class="record-effect">${text}${href && html` <a href="${href}">${label}</a>`}</p>`,
)}${refusedNotice(refused, props.labels, props.idOf, 'saved')}
${subPages({
  label: t('content-admin.editor.pages_about'),
  pages: shown.map((one) => ({ href: pathOf(one), label: parts[one].label, anchors: [] })),
  current: pathOf(part),
  content: parts[part].content(),
})}`;
  return contentPage(
    part === '' ? title : t('content-admin.editor.part_of', { part: parts[part].label, title }),
    body,
    {
      ...props,
      scripts: part === '' ? scriptsOf(props) : [],
    },
  );
}

function editPart(props: RecordPageProps): Html {
  const { words, record } = props;
  const { id, version, state } = record;
  const path = recordPath(words, id);
  const write = mayWrite(props);
  return html`${state === 'removed' ? removedNotice(path, write) : props.panel}
${state !== 'removed' && (write ? form(props, path, { id, version: props.opened ?? version }) : readOnly(props))}
${props.preview !== undefined && previewFrame(props.preview)}`;
}

function historyPart(props: RecordPageProps): Html {
  const { words, record, labels } = props;
  const { id, version, state, history } = record;
  const path = recordPath(words, id);
  const write = mayWrite(props) && state !== 'removed';
  return html`${historyTable({ history, labels, path, write })}${
    write &&
    html`<h2>${t('content-admin.editor.remove_it')}</h2><p>${t('content-admin.editor.shown_any_more_30_days')}</p>
${step(path, 'remove', version, t('content-admin.editor.remove'), 'button-danger-quiet')}`
  }`;
}

const scriptsOf = ({ scripts = [], takesPicture }: EditorProps): string[] => [
  'content/editor.js',
  ...(takesPicture ? ['content/photo.js'] : []),
  ...scripts,
];

/** A button for one action on a record, such as publishing it. */
export function step(path: string, name: string, version: number, label: Words, look = ''): Html {
  return html`<form class="content-step" method="post" action="${path}/${name}">${hiddenInputs({
    version: String(version),
  })}<button class="button ${look}">${label}</button></form>`;
}

function form(props: EditorProps, action: string, record?: { id: string; version: number }): Html {
  const { values, labels, refused, tenders, screens, picture, menu, zone, fields, takesPicture, timeless } =
    props;
  const shown = {
    values,
    labels,
    errors: refused?.errors ?? [],
    tenders,
    screens,
    picture,
    menu,
    record: record?.id,
  };
  return html`<form class="card" method="post" action="${action}"${
    takesPicture && html` enctype="multipart/form-data"`
  }>${hiddenInputs(record ? { version: String(record.version) } : { next: enteredText(values, 'next') || null })}
${!timeless && html`<p class="hint">${zone}</p>`}${fields(shown)}
<p class="actions"><button class="button" name="publish" value="true">${t('content-admin.editor.save_publish')}</button> <button class="button button-quiet" data-save aria-keyshortcuts="Control+Enter Meta+Enter">${t('content-admin.editor.save_draft')}</button> <span class="hint" data-save-hint hidden>${t('content-admin.editor.ctrl_enter_saves_draft')}</span></p></form>`;
}

function previewFrame(address: string): Html {
  return html`<section class="content-preview" aria-labelledby="preview"><h2 id="preview">${t('content-admin.editor.screen_shows')}</h2>
<iframe src="${address}" title="${t('content-admin.editor.slide_main_screen_shows')}" loading="lazy"></iframe>
<p>${t('content-admin.editor.see_page_own_shows_only', { link: linkTo(address) })}</p></section>`;
}

function readOnly({ values, labels, tenders, screens, picture, menu, fields }: EditorProps): Html {
  return html`<form class="card"><fieldset disabled class="content-read">
  <legend class="visually-hidden">${t('content-admin.editor.look')}</legend>
  ${fields({ values, labels, errors: [], tenders, screens, picture, menu })}</fieldset></form>`;
}

function removedNotice(path: string, write: boolean): Html {
  const text = t('content-admin.editor.shown_30_days_after_deleted');
  return html`${notice('attention', text, t('content-admin.editor.removed'))}${
    write &&
    html`
  <form class="content-step" method="post" action="${path}/restore"><button class="button">${t('content-admin.editor.bring_back')}</button></form>`
  }`;
}
