import { t } from '../core/language.ts'

/** The selected rows of a list, by their keys. */
export type Picking = {
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

/** The check box by which a row is selected. */
export const PickBox = ({ of: { picked, onPick }, id, name }: { of: Picking; id: string; name: string }) => (
  <label class="pick">
    <input
      type="checkbox"
      checked={picked.has(id)}
      aria-label={t.bulk.pick(name)}
      onChange={({ currentTarget }) => {
        const others = [...picked].filter((one) => one !== id)
        onPick(new Set(currentTarget.checked ? [...others, id] : others))
      }}
    />
  </label>
)
