import { useEffect, useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { onLive } from '../core/live.ts'
import { refresh } from '../core/query.ts'
import { Icon } from './icons.tsx'

/** Says that rows have come since the list was read; a row must not move under the pointer, so they wait for a press. */
export const NewRows = ({ kinds, prefixes }: { kinds: readonly string[]; prefixes: readonly string[] }) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  useEffect(
    () =>
      onLive(({ type, id }) => {
        if (kinds.some((kind) => type.startsWith(`${kind}.`))) setIds((before) => new Set([...before, id]))
      }),
    [],
  )
  if (ids.size === 0) return null
  return (
    <button
      type="button"
      class="new-rows"
      onClick={() => {
        setIds(new Set())
        refresh(...prefixes)
      }}
    >
      <Icon name="up" size={14} /> {t.common.newRows(ids.size)}
    </button>
  )
}
