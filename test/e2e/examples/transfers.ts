import type { Call } from '../service.ts'
import type { DoesStep } from './reserved.ts'

/** What people do with the money of their company: every operation at least once. */
export const playTransfers = async (
  /** A person who may do all of it, whose second factor was given just now. */
  call: Call,
  /** The same person with a second factor for each operation. */
  confirming: Call,
  /** Another one, likewise. */
  colleague: Call,
  does: DoesStep,
): Promise<void> => {
  await call('POST', '/v1/sandbox/pix/received', { amount: 500_000 })
  const { object: _, pending: __, ...policy } = (await call('GET', '/v1/company/approval-policy')).body
  await confirming('PUT', '/v1/company/approval-policy', { ...policy, thresholdAmount: '30000' })

  const lookup = await does(call, {
    operation: 'lookUpPixKey',
    title: 'An e-mail address',
    body: { key: 'fornecedor@example.com' },
  })
  await does(call, { operation: 'getPixLookupQuota', title: 'After a look-up' })
  const beneficiary = await does(confirming, {
    operation: 'createBeneficiary',
    title: 'The owner of a key',
    body: { lookupId: lookup.id, nickname: 'Fornecedor de papel' },
  })
  const { id } = beneficiary
  const other = await does(confirming, {
    operation: 'createBeneficiary',
    title: 'A bank account',
    body: {
      name: 'Comercial Aurora Ltda',
      document: '11222333000181',
      bankCode: '341',
      branch: '1234',
      account: '56789-0',
      accountType: 'CHECKING',
    },
  })
  await does(confirming, {
    operation: 'changeBeneficiary',
    title: 'Trust, which another person has to want, too',
    id,
    body: { trusted: true },
  })
  await does(call, { operation: 'getBeneficiary', title: 'In its first day', id })
  await does(call, { operation: 'listBeneficiaries', title: 'By PIX key', query: { kind: 'PIX' } })

  const body = { kind: 'PIX', amount: 15_000, beneficiaryId: id, description: 'Nota fiscal 118' }
  await does(call, { operation: 'previewTransfer', title: 'Before signing', body })
  const sent = await does(confirming, { operation: 'createTransfer', title: 'A PIX, at once', body })
  const path = `/v1/transfers/${sent.id}`
  while ((await call('GET', path)).body.status !== 'COMPLETED');
  await does(call, { operation: 'getTransfer', title: 'Completed', id: sent.id })
  await does(call, { operation: 'getTransferReceipt', title: 'As PDF', id: sent.id })
  await does(call, {
    operation: 'returnSandboxTransfer',
    title: 'A part comes back',
    id: sent.id,
    body: { amount: 5_000 },
  })

  const large = { kind: 'PIX', beneficiaryId: id, description: 'Nota fiscal 119' }
  const waiting = await does(confirming, {
    operation: 'createTransfer',
    title: 'Above the threshold',
    body: { ...large, amount: 30_001 },
  })
  await does(colleague, { operation: 'approveTransfer', title: 'By another person', id: waiting.id })
  const wrong = await confirming('POST', '/v1/transfers', { ...large, amount: 30_002 })
  await does(colleague, {
    operation: 'rejectTransfer',
    title: 'By another person',
    id: wrong.body.id,
    body: { reason: 'Esta nota já foi paga.' },
  })
  const again = await confirming('POST', '/v1/transfers', { ...large, amount: 30_003 })
  await does(call, {
    operation: 'approveSandboxTransfer',
    title: 'As a second person',
    id: again.body.id,
  })
  const silent = await confirming('POST', '/v1/transfers', {
    kind: 'PIX',
    amount: 500,
    beneficiaryId: other.id,
    metadata: { sandboxScenario: 'transfer_silent' },
  })
  await does(call, {
    operation: 'resolveSandboxTransfer',
    title: 'Refused by the bank',
    id: silent.body.id,
    body: { result: 'FAILED', failureReason: 'ACCOUNT_CLOSED' },
  })
  const lost = await confirming('POST', '/v1/transfers', {
    kind: 'PIX',
    amount: 700,
    beneficiaryId: other.id,
    metadata: { sandboxScenario: 'transfer_lost' },
  })
  while ((await call('GET', `/v1/transfers/${lost.body.id}`)).body.lostAt === undefined);
  const unsent = { outcome: 'NOT_SENT', reason: 'Nada nos extratos de 22 e 23 de novembro.' }
  await does(confirming, {
    operation: 'declareTransfer',
    title: 'By the first person',
    id: lost.body.id,
    body: unsent,
  })
  await does(colleague, {
    operation: 'declareTransfer',
    title: 'By another person',
    id: lost.body.id,
    body: unsent,
  })
  const hidden = async (operation: string, body: object, id?: string): Promise<any> =>
    does(call, { operation, title: operation, body, ...(id !== undefined && { id }), hidden: true })
  const recipient = await hidden('createRecipient', {
    ...{ name: 'Vendedora Ltda', document: '11222333000181', bankCode: '998' },
    ...{ branch: '1234', account: '56789-0' },
  })
  const items = [{ recipientId: recipient.id, percentBps: 8_000 }, { percentBps: 2_000 }]
  const rule = await hidden('createSplitRule', { name: '80/20', items })
  const charge = await hidden('createPixCharge', { amount: 9_900, splitRuleId: rule.id })
  await hidden('paySandboxPixCharge', {}, charge.id)
  const parts = `/v1/split/transfers?transactionId=${charge.id}`
  while ((await call('GET', parts)).body.data[0]?.lostAt === undefined);
  const [part] = (await call('GET', parts)).body.data
  await does(confirming, {
    operation: 'declareSplitTransfer',
    title: 'By the first person',
    id: part.id,
    body: unsent,
  })
  const later = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  const scheduled = await does(confirming, {
    operation: 'createTransfer',
    title: 'A TED, in a week',
    body: { kind: 'TED', amount: 20_000, beneficiaryId: other.id, scheduledFor: later },
  })
  await does(call, { operation: 'cancelTransfer', title: 'Before its day', id: scheduled.id })
  await does(call, {
    operation: 'listTransfers',
    title: 'Completed ones',
    query: { status: 'COMPLETED' },
    rows: 1,
  })
  await does(call, { operation: 'exportTransfers', title: 'Of a kind', query: { kind: 'PIX' } })
  await does(call, { operation: 'deleteBeneficiary', title: 'No longer paid', id: other.id })
}
