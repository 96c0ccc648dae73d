import { shortId } from '../core/format.ts'
import { namesFreshForMs, useGet } from '../core/query.ts'
import { pathTo } from '../core/router.ts'
import { can } from '../core/session.ts'

/** How a list names the recipients in its rows. */
export type RecipientNames = (id: string) => string | null

/** As many as one request asks for. */
const idsMax = 100

/** The names of these recipients, by one request; null for one that the reader may not know. */
export const useRecipientNames = (ids: readonly (string | null)[]): RecipientNames => {
  const asked = [...new Set(ids)].filter((id) => id !== null).sort()
  const hasAny = asked.length > 0 && can('marketplace.manage')
  const query = { id: asked.slice(0, idsMax), pageSize: idsMax }
  const { data } = useGet(hasAny ? '/v1/split/recipients' : null, { query, freshForMs: namesFreshForMs })
  return (id) => data?.data.find((one) => one.id === id)?.name ?? null
}

/** A recipient by name, as a link to their page. */
export const RecipientName = ({ id, names }: { id: string; names: RecipientNames }) => {
  const name = names(id)
  if (name === null) return <>{shortId(id)}</>
  return <a href={pathTo(`divisao/recebedores/${id}`)}>{name}</a>
}
