import { useEffect, useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { onLive } from '../core/live.ts'
import { refresh } from '../core/query.ts'
import { Icon } from './icons.tsx'

/** Says that rows have come since the list was read; a row must not move under the pointer, so they wait for a press. */
export const NewRows = ({ kinds, prefixes }: { kinds: readonly string[]; prefixes: readonly string[] }) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  /** Rows that came while the connection was down cannot be counted. */
  const [isUnsure, setUnsure] = useState(false)
  useEffect(
    () =>
      onLive((event) => {
        if (event === null) setUnsure(true)
        else if (kinds.some((kind) => event.type.startsWith(`${kind}.`)))
          setIds((before) => new Set([...before, event.id]))
      }),
    [],
  )
  if (ids.size === 0 && !isUnsure) return null
  return (
    <button
      type="button"
      class="new-rows"
      onClick={() => {
        setIds(new Set())
        setUnsure(false)
        refresh(...prefixes)
      }}
    >
      <Icon name="up" size={14} /> {isUnsure ? t.common.readAgain : t.common.newRows(ids.size)}
    </button>
  )
}
