import type { ComponentType } from 'preact'
import { TransactionPage } from './transactions/detail.tsx'
import { Transactions } from './transactions/list.tsx'
import { byId } from './by-id.tsx'

/** The pages of a company by the word of their address; `rest` are the parts after it. */
export const pages: Readonly<Record<string, ComponentType<{ rest: readonly string[] }>>> = {
  inicio: Transactions,
  transacoes: byId(Transactions, TransactionPage),
}
