import type { Call } from '../service.ts'
import type { DoesStep } from './reserved.ts'

/** What people do with stablecoins: deposits, conversions, wallets and withdrawals. */
export const playCrypto = async (
  /** A person who may do all of it, whose second factor was given just now. */
  call: Call,
  /** The same person with a second factor for each operation. */
  confirming: Call,
  /** Another one, likewise. */
  colleague: Call,
  does: DoesStep,
): Promise<void> => {
  const hidden = async (operation: string, body: object, id?: string): Promise<any> =>
    does(call, { operation, title: operation, body, ...(id !== undefined && { id }), hidden: true })

  const asked = { cryptoAmount: '10', asset: 'USDT', network: 'POLYGON' }
  const charge = await hidden('createCryptoCharge', asked)
  await hidden('paySandboxCryptoCharge', { cryptoAmount: '11' }, charge.id)
  const other = await hidden('createCryptoCharge', asked)
  await hidden('paySandboxCryptoCharge', { cryptoAmount: '5', asset: 'USDC' }, other.id)
  const { data } = await does(call, {
    operation: 'listCryptoDeposits',
    title: 'Not decided yet',
    query: { status: 'UNRESOLVED' },
  })
  const depositOf = (id: string) => data.find((deposit: any) => deposit.transactionId === id).id
  await does(confirming, {
    operation: 'resolveCryptoDeposit',
    title: 'Into the balance',
    id: depositOf(charge.id),
    body: { action: 'ACCEPT' },
  })
  await does(confirming, {
    operation: 'resolveCryptoDeposit',
    title: 'Back to an address of the payer',
    id: depositOf(other.id),
    body: { action: 'RETURN', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  })

  const pix = await hidden('createPixCharge', { amount: 200000 })
  await hidden('paySandboxPixCharge', {}, pix.id)
  const quote = await does(call, {
    operation: 'quoteConversion',
    title: 'Reais into a stablecoin',
    body: { fromCurrency: 'BRL', toCurrency: 'USDT', fromAmount: '100000' },
  })
  const made = await does(confirming, {
    operation: 'createConversion',
    title: 'At the price of a quote',
    body: { quoteId: quote.id },
  })
  await does(call, { operation: 'getConversion', title: 'Completed', id: made.id })
  const back = await does(call, {
    operation: 'quoteConversion',
    title: 'A stablecoin into an amount of reais',
    body: { fromCurrency: 'USDT', toCurrency: 'BRL', toAmount: 5000 },
  })
  const slow = await does(confirming, {
    operation: 'createConversion',
    title: 'One that the Sandbox leaves open',
    body: { quoteId: back.id, metadata: { sandboxScenario: 'conversion_slow' } },
  })
  await does(call, {
    operation: 'resolveSandboxConversion',
    title: 'The market has moved',
    id: slow.id,
    body: { result: 'FAILED', failureReason: 'MARKET_MOVED' },
  })
  await does(call, { operation: 'listConversions', title: 'Completed ones', query: { status: 'COMPLETED' } })

  const wallet = await does(confirming, {
    operation: 'createWallet',
    title: 'Of the company itself',
    body: {
      name: 'Cofre',
      asset: 'USDT',
      network: 'TRON',
      address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      ownership: 'SELF_CUSTODY',
      holderName: 'Loja Azul Ltda',
      holderDocument: '11.222.333/0001-81',
    },
  })
  await does(call, { operation: 'getWallet', title: 'Cooling off', id: wallet.id })
  await does(call, { operation: 'listWallets', title: 'All that are left', query: { active: 'true' } })
  await call('POST', '/v1/sandbox/clock/advance', { by: 'PT24H' })
  await playWithdrawals(call, confirming, colleague, does, wallet.id)
  await does(call, { operation: 'removeWallet', title: 'Not used any more', id: wallet.id })
}

/** Stablecoins that leave for a wallet. */
const playWithdrawals = async (
  call: Call,
  confirming: Call,
  colleague: Call,
  does: DoesStep,
  walletId: string,
): Promise<void> => {
  const charge = await call('POST', '/v1/crypto/charges', {
    cryptoAmount: '2000',
    asset: 'USDT',
    network: 'POLYGON',
  })
  await call('POST', `/v1/sandbox/crypto/charges/${charge.body.id}/pay`, {})
  const path = '/v1/crypto/withdrawals'
  const withdraw = async (cryptoAmount: string) =>
    (await confirming('POST', path, { walletId, cryptoAmount })).body.id as string

  const large = { walletId, cryptoAmount: '250' }
  const waiting = await does(confirming, {
    operation: 'createCryptoWithdrawal',
    title: 'More than a wallet gets at first',
    body: large,
  })
  await does(colleague, { operation: 'approveCryptoWithdrawal', title: 'By another person', id: waiting.id })
  await does(colleague, {
    operation: 'rejectCryptoWithdrawal',
    title: 'By another person',
    id: await withdraw('251'),
    body: { reason: 'Este endereço não é nosso.' },
  })
  await does(call, {
    operation: 'cancelCryptoWithdrawal',
    title: 'Before it is approved',
    id: await withdraw('252'),
  })

  const body = { walletId, cryptoAmount: '18.45', externalId: 'tesouraria-118' }
  await does(call, { operation: 'previewCryptoWithdrawal', title: 'Before signing', body })
  const sent = await does(confirming, { operation: 'createCryptoWithdrawal', title: 'At once', body })
  while ((await call('GET', `${path}/${sent.id}`)).body.status !== 'BROADCAST');
  await does(call, { operation: 'getCryptoWithdrawal', title: 'On the network', id: sent.id })
  await call('POST', '/v1/sandbox/clock/advance', { by: 'PT30S' })
  await does(call, { operation: 'getCryptoWithdrawalReceipt', title: 'As PDF', id: sent.id })
  await does(call, {
    operation: 'resolveSandboxCryptoWithdrawal',
    title: 'Dropped by the network',
    id: await withdraw('20'),
    body: { result: 'FAILED', failureReason: 'DROPPED' },
  })
  await does(call, {
    operation: 'listCryptoWithdrawals',
    title: 'Completed ones',
    query: { status: 'COMPLETED' },
    rows: 1,
  })
  await does(call, { operation: 'exportCryptoWithdrawals', title: 'Of an asset', query: { asset: 'USDT' } })
}
