import { shortId } from '../core/format.ts'
import { useGet } from '../core/query.ts'
import { pathTo } from '../core/router.ts'
import { can } from '../core/session.ts'

/** How a list names the recipients in its rows. */
export type RecipientNames = (id: string) => string | null

/** As many as one request asks for. */
const idsMax = 100

/** The names of these recipients, by one request for those that are not `known`; null for one that the reader may not know. */
export const useRecipientNames = (
  ids: readonly (string | null)[],
  known: readonly { readonly id: string; readonly name: string }[] = [],
): RecipientNames => {
  const names = new Map(known.map(({ id, name }) => [id, name]))
  const asked = [...new Set(ids)].filter((id) => id !== null && !names.has(id)).sort()
  const isAsking = asked.length > 0 && can('marketplace.manage')
  const query = { id: asked.slice(0, idsMax) as string[], pageSize: idsMax }
  const { data } = useGet(isAsking ? '/v1/split/recipients' : null, { query })
  for (const { id, name } of data?.data ?? []) names.set(id, name)
  return (id) => names.get(id) ?? null
}

/** A recipient by name, as a link to their page. */
export const RecipientName = ({ id, names }: { id: string; names: RecipientNames }) => {
  const name = names(id)
  if (name === null) return <>{shortId(id)}</>
  return <a href={pathTo(`divisao/recebedores/${id}`)}>{name}</a>
}
