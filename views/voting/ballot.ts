import { type Child, type Html, html } from '#kernel/html.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { nameText } from '#views/components/names.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { aboutOption } from './about-options.ts';
import { type BallotFrameProps, ballotFrame } from './ballot-frame.ts';
import { filledValue } from './equal-length.ts';

/** A yes-or-no ballot; `value` is what was chosen before, if anything. */
export interface SimpleBallotProps extends BallotFrameProps {
  value?: string | undefined;
}

/** A poll's ballot, for one option or several; `values` are the ids chosen before. */
export interface PollBallotProps extends BallotFrameProps {
  options: readonly OptionJson[];
  multiple: boolean;
  values?: readonly string[] | undefined;
}

const SIMPLE_ROWS = [
  { value: 'yes', label: 'Yes', note: undefined },
  { value: 'no', label: 'No', note: undefined },
  { value: 'abstain', label: 'Abstain', note: 'Counts as taking part, on neither side.' },
] as const;

const LONGEST_VALUE = Math.max(...SIMPLE_ROWS.map(({ value }) => value.length));

/** The page of a yes-or-no ballot. */
export function simpleBallotPage(props: SimpleBallotProps): Html {
  const rows = SIMPLE_ROWS.map(({ value, label, note }, index) =>
    row('radio', 'choice', index, {
      value: filledValue(value, LONGEST_VALUE),
      label,
      note,
      checked: props.value?.toLowerCase() === value,
    }),
  );
  return ballotFrame(props, {
    ask: null,
    choices: choiceGroup({
      name: 'choice',
      label: 'How do you vote?',
      error: props.errors?.[0]?.message,
      rows,
    }),
    idOf: () => 'choice-1',
  });
}

/** The page of a poll's ballot. */
export function pollBallotPage(props: PollBallotProps): Html {
  const { options, multiple, values = [], errors } = props;
  const name = multiple ? 'selected_options' : 'selected_option';
  const rows = options.map((option, index) => {
    const { id, name: optionName } = option;
    const label = nameText(optionName);
    const type = multiple ? 'checkbox' : 'radio';
    return html`${row(type, name, index, { value: id, label, checked: values.includes(id) })}${aboutOption(option)}`;
  });
  return ballotFrame(props, {
    ask: null,
    choices: choiceGroup({
      name,
      label: multiple ? 'Choose one or more' : 'Choose one',
      error: errors?.[0]?.message,
      rows,
    }),
    idOf: () => `${name}-1`,
  });
}

function row(
  type: 'radio' | 'checkbox',
  name: string,
  index: number,
  rest: { value: string; label: Child; note?: Child; checked: boolean },
): Html {
  return choice({ type, name, id: `${name}-${index + 1}`, ...rest });
}
