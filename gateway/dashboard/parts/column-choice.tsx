import { useId, useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { newStore, useStore } from '../core/store.ts'
import { TextButton } from './buttons.tsx'
import { Icon } from './icons.tsx'
import { usePopover } from './popover.ts'

/** The columns that a person has chosen for a list in this browser, by their ids; null shows those that the width has room for. */
export type ChosenColumns = readonly string[] | null

const keyOf = (list: string): string => `columns ${list}`

const read = (list: string): ChosenColumns => {
  const text = localStorage.getItem(keyOf(list))
  return text === null ? null : text.split(' ')
}

/** The choice for each list that was shown. */
const stores = new Map<string, ReturnType<typeof newStore<ChosenColumns>>>()

const storeOf = (list: string) => {
  const store = stores.get(list) ?? newStore(read(list))
  stores.set(list, store)
  return store
}

/** What the person has chosen for a list. */
export const useChosenColumns = (list: string): ChosenColumns => useStore(storeOf(list))

const choose = (list: string, chosen: ChosenColumns): void => {
  if (chosen === null) localStorage.removeItem(keyOf(list))
  else localStorage.setItem(keyOf(list), chosen.join(' '))
  storeOf(list).set(chosen)
}

type ColumnMenuProps = { list: string; columns: readonly { readonly id: string; readonly title: string }[] }

/** A button with a box to tick for each column of a list. */
export const ColumnMenu = ({ list, columns }: ColumnMenuProps) => {
  const { button, panel, isOpen } = usePopover(useId())
  const chosen = useChosenColumns(list)
  const [present, setPresent] = useState<readonly string[]>([])
  const shown = chosen ?? present
  return (
    <div class="column-menu from-medium">
      <button {...button} type="button" class="button quiet">
        <Icon name="columns" />
        {t.common.columns}
      </button>
      <div
        {...panel}
        class="popover"
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') setPresent(idsInSight(currentTarget))
        }}
      >
        {isOpen && (
          <fieldset class="choices">
            <legend>{t.common.columns}</legend>
            {columns.slice(1).map(({ id, title }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={shown.includes(id)}
                  onChange={({ currentTarget }) =>
                    choose(list, currentTarget.checked ? [...shown, id] : shown.filter((one) => one !== id))
                  }
                />
                <span>{title}</span>
              </label>
            ))}
          </fieldset>
        )}
        {isOpen && chosen !== null && (
          <TextButton text={t.common.usualColumns} onClick={() => choose(list, null)} />
        )}
      </div>
    </div>
  )
}

/** The columns that the list around an element shows at its present width. */
const idsInSight = (element: Element): string[] =>
  [...(element.closest('.list')?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
    .filter((heading) => heading.offsetWidth > 0)
    .map((heading) => heading.dataset.column ?? '')
