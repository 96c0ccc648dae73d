import type { ComponentChildren } from 'preact'
import { type FieldProps, type Options, Remarks, useField } from './form.tsx'

/** Check boxes for several of a few values; the field holds them separated by commas. */
export const Checks = ({ of, ...props }: FieldProps & { of: Options }) => {
  const { id, error, value, set, describedBy } = useField(props)
  return (
    <fieldset class="field checks" aria-describedby={describedBy}>
      <legend>{props.label}</legend>
      {of.map(([one, text]) => (
        <PillCheck key={one} isWrong={error !== null} {...{ one, value, set }}>
          {text}
        </PillCheck>
      ))}
      <Remarks id={id} error={error} hint={props.hint} />
    </fieldset>
  )
}

type PillCheckProps = {
  one: string
  value: string
  set: (value: string) => void
  isWrong?: boolean
  children: ComponentChildren
}

/** The check box of one value in a comma-separated field. */
export const PillCheck = ({ one, value, set, isWrong, children }: PillCheckProps) => {
  const chosen = listOf(value)
  return (
    <label class="pill-check">
      <input
        type="checkbox"
        checked={chosen.includes(one)}
        aria-invalid={isWrong}
        onChange={(event) => {
          const others = chosen.filter((other) => other !== one)
          set((event.currentTarget.checked ? [...others, one] : others).join(','))
        }}
      />
      {children}
    </label>
  )
}

/** The values of a comma-separated field. */
export const listOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean)
