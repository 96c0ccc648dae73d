import type { Schemas } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { Badge } from '../../parts/basics.tsx'
import { saying } from './connection-texts.tsx'

export type Connection = Schemas['Connection']

/** What a connection is used for, in words. */
export const railsText = ({ rails }: Pick<Connection, 'rails'>): string =>
  rails.map((rail) => saying.rail[rail] ?? rail).join(', ')

const soonMs = 30 * 86_400_000

/** When a certificate ends; soon stands out. */
export const CertificateEnd = ({ of: { certificateEndsAt: at } }: { of: Connection }) => {
  if (at === null) return <span class="muted">–</span>
  const leftMs = Date.parse(at) - Date.now()
  const text = (leftMs <= 0 ? saying.ended : saying.until)(moment(at, 'day'))
  return <span class={leftMs < soonMs ? 'warn-text' : undefined}>{text}</span>
}

/** Whether a connection works, as far as is known. */
export const Health = ({ of: { works, status } }: { of: Connection }) => {
  if (works === null) return <span class="muted">{status === 'ACTIVE' ? saying.unknown : '–'}</span>
  return works ? <Badge tone="good">{saying.works}</Badge> : <Badge tone="bad">{saying.fails}</Badge>
}
