import { useGet } from '../core/query.ts'
import { isSandbox } from '../core/router.ts'
import { can } from '../core/session.ts'

/** The seldom changing names of banks are read once while a page is open. */
const freshForMs = 3_600_000

/** A bank or acquirer by its name for people; one that is not known any more by its id. */
export const ProviderName = ({ id }: { id: string }) => {
  const { data } = useGet(!isSandbox() && can('company.read') ? '/v1/connections/providers' : null, {
    freshForMs,
  })
  return <>{data?.data.find(({ name }) => name === id)?.label ?? id}</>
}
