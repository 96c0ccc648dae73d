import type { CompanyConnection } from '../../engine/companies/connection.ts'
import { modules } from './modules.ts'

/**
 * Whether a statement is of a connection's account; null where the connection does not say which account it has. Banks write the number with the branch
 * before it or without, and with leading zeros or without.
 */
export const isStatementOf = (
  statement: {
    readonly bankId: string | null
    readonly branchId: string | null
    readonly accountId: string
  },
  { provider, credentials }: Pick<CompanyConnection, 'provider' | 'credentials'>,
): boolean | null => {
  const { receiverBranch, receiverAccount, account = receiverAccount } = credentials.settings
  if (typeof account !== 'string' || bare(account) === '') return null
  const code = modules[provider]?.clearingCode
  const isOtherBank =
    code !== undefined && /^\d+$/.test(statement.bankId ?? '') && Number(statement.bankId) !== code
  const branch = typeof receiverBranch === 'string' ? bare(receiverBranch) : null
  const isOtherBranch =
    branch !== null && statement.branchId !== null && !bare(statement.branchId).startsWith(branch)
  if (isOtherBank || isOtherBranch) return false
  const shown = bare(statement.accountId)
  return shown === bare(account) || (branch !== null && shown === `${branch}${padded(account)}`)
}

/** Letters and digits without the zeros before them. */
const bare = (number: string): string => padded(number).replace(/^0+/, '')

const padded = (number: string): string => number.replace(/[^0-9A-Za-z]/g, '').toUpperCase()
