import { linkCustomer, type Register } from '../../customers/link.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { splitFor, splitOfPlan, useRule } from '../../recipients/register.ts'
import type { CreateCharge, SeedTransaction } from './commands.ts'
import { writeTransaction } from './write.ts'

/** A charge, and who pays it. Invoices are collected by it, too. */
export const createTransaction = (
  command: CreateCharge | SeedTransaction,
  draft: Draft,
): Rejection | null => {
  const register: Register = {
    find: (id) => draft.find('customer', id),
    withDocument: (document) => draft.lookup('customer', document),
  }
  const customerId = command.type === 'CreateCharge' ? command.customerId : null
  const { customer } = command
  const linked = linkCustomer({ customer, customerId }, draft.account(), register, draft.context)
  if (!linked.ok) return linked.rejection
  const ruleId = command.type === 'CreateCharge' ? command.splitRuleId : null
  const isInvoice = command.type === 'CreateCharge' && command.collects !== null
  const divided = isInvoice ? splitOfPlan(draft, ruleId) : splitFor(draft, ruleId, command.amountCents)
  if ('rejection' in divided) return divided.rejection
  draft.add(...linked.registered)
  if (ruleId !== null) useRule(draft, ruleId)
  return writeTransaction(draft, undefined, command, { payer: linked.payer, split: divided.split })
}
