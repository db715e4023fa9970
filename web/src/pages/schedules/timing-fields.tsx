import { type ReactNode, useId } from 'react';
import { SelectField, TextField } from '../../parts/field.tsx';
import { HOURS, MINUTES, TIMING_WORDS, TIMINGS, type Timing, type TimingKind, WEEKDAYS } from './timing.ts';

interface TimingFieldsProps {
  readonly timing: Timing;
  readonly onChange: (timing: Timing) => void;
  readonly zone: string;
  readonly onZone: (zone: string) => void;
}

/** When a schedule fires: a few usual rhythms, or a cron expression, or a change of files. */
export function TimingFields({ timing, onChange, zone, onZone }: TimingFieldsProps): ReactNode {
  const zones = useId();
  const set =
    (name: keyof Timing) =>
    (event: { readonly target: { readonly value: string } }): void =>
      onChange({ ...timing, [name]: event.target.value });
  const { kind } = timing;
  return (
    <>
      <div className="add-schedule-pair">
        <SelectField
          label="When"
          value={kind}
          onChange={(event) => onChange({ ...timing, kind: event.target.value as TimingKind })}
          options={TIMINGS.map((value) => ({ value, label: TIMING_WORDS[value] }))}
        />
        {kind === 'minutes' && (
          <SelectField
            label="Minutes"
            value={timing.minutes}
            onChange={set('minutes')}
            options={choices(MINUTES)}
          />
        )}
        {kind === 'hours' && (
          <SelectField label="Hours" value={timing.hours} onChange={set('hours')} options={choices(HOURS)} />
        )}
        {(kind === 'daily' || kind === 'weekdays' || kind === 'weekly') && (
          <TextField label="Time" type="time" required value={timing.time} onChange={set('time')} />
        )}
        {kind === 'cron' && (
          <TextField label="Expression" className="mono" value={timing.cron} onChange={set('cron')} />
        )}
        {kind === 'change' && (
          <TextField label="Path" placeholder="notes" value={timing.path} onChange={set('path')} />
        )}
      </div>
      {kind === 'weekly' && (
        <SelectField
          label="Day"
          value={timing.weekday}
          onChange={set('weekday')}
          options={choices(WEEKDAYS)}
        />
      )}
      {kind !== 'change' && (
        <>
          <TextField
            label="Time zone"
            list={zones}
            value={zone}
            onChange={(event) => onZone(event.target.value)}
          />
          <datalist id={zones}>
            {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </>
  );
}

function choices(
  values: readonly (string | number)[],
): readonly { readonly value: string; readonly label: string }[] {
  return values.map((value) => ({ value: String(value), label: String(value) }));
}
