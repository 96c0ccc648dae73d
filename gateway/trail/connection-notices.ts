import {
  accountOfConnection,
  areCredentialsDoubted,
  type CompanyConnection,
} from '../../engine/companies/connection.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { type NoticeId, newId } from '../../engine/shared/ids.ts'
import type { ForeignNotice } from './directory-notices.ts'

/** How many days before the end of a certificate people are reminded of it: banks take days to issue another one. */
const certificateDays = [30, 14, 7, 1] as const

/** The notice that a connection's certificate is about to end, with its id, which another node makes, too; null while there is time. */
export const noticeOfCertificate = (
  connection: CompanyConnection,
  /** The bank’s name for people. */
  label: string,
  nowMs: number,
): { readonly notice: ForeignNotice; readonly id: NoticeId } | null => {
  const { id: objectId, state, credentials } = connection
  const endsAtMs = credentials.certificate?.endsAtMs ?? null
  if (endsAtMs === null || endsAtMs <= nowMs || (state !== 'ACTIVE' && state !== 'SUSPENDED')) return null
  const nth = certificateDays.findLastIndex((days) => endsAtMs - nowMs <= days * dayMs)
  if (nth < 0) return null
  const notice: ForeignNotice = {
    accountId: accountOfConnection(connection),
    personId: null,
    objectId,
    kind: 'CONNECTION_EXPIRING',
    details: { provider: label, expiresAt: isoInstant(endsAtMs) },
  }
  return { notice, id: idOf(objectId, endsAtMs, nth) }
}

/** The notice that a restore has suspended a connection, with its id; null where none has, or a person has seen to it. */
export const noticeOfRestore = (
  connection: CompanyConnection,
  label: string,
): { readonly notice: ForeignNotice; readonly id: NoticeId } | null => {
  const { id: objectId, suspension, stoppedAtMs } = connection
  const isStopped = suspension === 'DATA_RESTORED' || areCredentialsDoubted(connection)
  if (!isStopped || stoppedAtMs === undefined) return null
  const notice: ForeignNotice = {
    accountId: accountOfConnection(connection),
    personId: null,
    objectId,
    kind: 'CONNECTION_STOPPED',
    details: { provider: label },
  }
  return { notice, id: idOf(objectId, stoppedAtMs, certificateDays.length) }
}

/** One id for each certificate and number of days, and for each restore. */
const idOf = (connectionId: string, atMs: number, nth: number): NoticeId =>
  `${newId('ntf', atMs, () => 0).slice(0, 14)}${connectionId.slice(-15)}${nth}` as NoticeId

const dayMs = 86_400_000
