import type { CompanyConnection } from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import type { CompanyId, ConnectionId } from '../../../engine/shared/ids.ts'
import { doesReport } from '../../providers/connection-settings.ts'
import type { ProviderModule } from '../../providers/port.ts'
import type { ConnectionWatch } from './watch.ts'

/** What tells how far a company’s connections are. */
export type GoLiveTools = {
  readonly directory: Pick<Directory, 'connections'>
  readonly modules: Readonly<Record<string, Pick<ProviderModule, 'rails'>>>
  readonly watch: Pick<ConnectionWatch, 'standingOf'>
  readonly hasNoticePort: boolean
  readonly realNow: () => number
}

type ConnectionStep = 'CONNECTION' | 'CERTIFICATE' | 'NOTICES' | 'PAYOUT'

/** The steps of going live that are about connections, each with the connection that it is about. */
export const connectionSteps = (
  { directory, modules, watch, hasNoticePort, realNow }: GoLiveTools,
  companyId: CompanyId,
): readonly (readonly [step: ConnectionStep, isDone: boolean, connectionId: ConnectionId | null])[] => {
  const own = [...directory.connections.byId.values()].filter(
    (connection) => connection.companyId === companyId && connection.state !== 'RETIRED',
  )
  const takesPayments = own.filter(({ rails }) => rails.some((rail) => rail !== 'PAYOUT' && rail !== 'KEYS'))
  const paysOut = own.filter(({ rails }) => rails.includes('PAYOUT'))
  const active = own.filter(isActive)
  const endsAtMs = ({ id, credentials: { certificate } }: CompanyConnection): number =>
    watch.standingOf(id)?.certificateEndsAtMs ?? certificate?.endsAtMs ?? Number.POSITIVE_INFINITY
  const ending = active.find((connection) => endsAtMs(connection) < realNow() + aheadMs)
  const silent = takesPayments.find(
    (connection) =>
      isActive(connection) &&
      (!doesReport(connection) || watch.standingOf(connection.id)?.hooksProblem != null),
  )
  // A connection that is in the making is where the next step is done.
  const nextOf = (connections: readonly CompanyConnection[]) =>
    (connections.find(isActive) ?? connections.at(-1))?.id ?? null
  const next = nextOf(takesPayments)
  return [
    ['CONNECTION', takesPayments.some(isActive), next],
    ['CERTIFICATE', active.length > 0 && ending === undefined, ending?.id ?? next],
    ['NOTICES', hasNoticePort && takesPayments.some(isActive) && silent === undefined, silent?.id ?? next],
    ...(Object.values(modules).some(({ rails }) => rails.includes('PAYOUT'))
      ? ([['PAYOUT', paysOut.some(isActive), nextOf(paysOut)]] as const)
      : []),
  ]
}

const isActive = ({ state }: CompanyConnection): boolean => state === 'ACTIVE'

/** As with the notices about certificates, a new certificate takes a company some weeks. */
const aheadMs = 30 * 86_400_000
