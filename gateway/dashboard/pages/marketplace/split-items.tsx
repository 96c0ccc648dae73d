import { useId } from 'preact/hooks'
import type { Schemas } from '../../core/api.ts'
import { amountText, percent, percentText } from '../../core/format.ts'
import { bpsOf, unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { Button } from '../../parts/basics.tsx'
import { IconButton } from '../../parts/buttons.tsx'
import { amountError, Remarks, useFormAround, useShown } from '../../parts/form.tsx'
import { RecipientPicker } from '../../parts/picker.tsx'
import { Switch } from '../../parts/switch.tsx'

/** A party of a rule as a person types it. */
export type Item = {
  readonly recipientId: string
  readonly share: string
  readonly chargeFees: boolean
  readonly chargeRemainder: boolean
}

/** A party that is not filled in. */
export const noItem: Item = { recipientId: '', share: '', chargeFees: false, chargeRemainder: false }

/** The field values with which a party's form begins. */
export const itemOf = ({ recipientId, percentBps, fixedAmount, ...rest }: Schemas['SplitItem']): Item => {
  const fixed = fixedAmount === null ? '' : `R$ ${amountText(fixedAmount)}`
  return {
    recipientId: recipientId ?? '',
    share: percentBps === null ? fixed : `${percentText(percentBps)}%`,
    chargeFees: rest.chargeFees,
    chargeRemainder: rest.chargeRemainder,
  }
}

/** A party as the API takes it; its share was typed as "70%" or "R$ 5,00". */
export const inputOf = ({ recipientId, share, ...charges }: Item): Schemas['SplitItemInput'] => ({
  recipientId: recipientId || null,
  ...(isPercentage(share) ? { percentBps: bpsOf(share) ?? 0 } : { fixedAmount: unitsOf(share) }),
  ...charges,
})

const isPercentage = (share: string): boolean => share.includes('%')

/** What is wrong with the parties' shares, by their paths in the API. */
export const shareErrors = (items: readonly Item[]): Record<string, string | null> =>
  Object.fromEntries(
    items.map(({ share }, n) =>
      isPercentage(share)
        ? [`items[${n}].percentBps`, bpsOf(share) === null ? t.boletos.notARate : null]
        : [`items[${n}].fixedAmount`, amountError(share)],
    ),
  )

type Recipients = readonly Schemas['Recipient'][]

type ItemsProps = {
  items: readonly Item[]
  onChange: (items: readonly Item[]) => void
  recipients: Recipients
}

/** The fields of a rule's parties. */
export const Items = ({ items, onChange, recipients }: ItemsProps) => {
  const percents = items.reduce((sum, { share }) => sum + (isPercentage(share) ? (bpsOf(share) ?? 0) : 0), 0)
  return (
    <fieldset class="split-items">
      <legend>{t.split.parties}</legend>
      {items.map((item, n) => (
        <div key={n} class="split-item">
          <ItemFields
            path={`items[${n}]`}
            of={item}
            recipients={recipients}
            onChange={(part) => onChange(items.with(n, { ...item, ...part }))}
          />
          <IconButton
            icon="x"
            name={t.split.removeParty(n + 1)}
            disabled={items.length === 1}
            onClick={() => onChange(items.filter((_, at) => at !== n))}
          />
        </div>
      ))}
      <div class="actions">
        <Button icon="plus" onClick={() => onChange([...items, noItem])} text={t.split.addParty} />
        <span class="hint">
          {t.split.sum} {percent(percents)}
        </span>
      </div>
      <p class="hint">{t.split.shareHint}</p>
    </fieldset>
  )
}

const ItemFields = ({
  path,
  of: { recipientId, share, chargeFees, chargeRemainder },
  recipients,
  onChange,
}: {
  path: string
  of: Item
  recipients: Recipients
  onChange: (part: Partial<Item>) => void
}) => {
  const form = useFormAround()
  const names = ['percentBps', 'fixedAmount'].map((name) => `${path}.${name}`)
  for (const name of names) useShown(form, name)
  const shareError = names.map((name) => form.errorOf(name)).find((error) => error !== null) ?? null
  const id = useId()
  return (
    <>
      <RecipientPicker
        name={`${path}.recipientId`}
        label={t.split.recipient}
        none={t.split.own}
        chosenText={recipients.find((one) => one.id === recipientId)?.name ?? ''}
        control={{ value: recipientId, set: (id) => onChange({ recipientId: id }) }}
      />
      <label>
        <span class="visually-hidden">{t.split.share}</span>
        <input
          type="text"
          value={share}
          placeholder="70%"
          aria-invalid={shareError !== null}
          aria-describedby={shareError === null ? undefined : `${id}-share-error`}
          onInput={(event) => onChange({ share: event.currentTarget.value })}
        />
      </label>
      <Switch isOn={chargeFees} onChange={(isOn) => onChange({ chargeFees: isOn })} text={t.split.paysFees} />
      <Switch
        isOn={chargeRemainder}
        onChange={(isOn) => onChange({ chargeRemainder: isOn })}
        text={t.split.takesRest}
      />
      <Remarks id={`${id}-share`} error={shareError} hint={null} />
    </>
  )
}
