import type { Call } from '../service.ts'
import type { DoesStep } from './reserved.ts'

/** What people do with stablecoins: deposits, conversions and wallets. */
export const playCrypto = async (
  /** A person who may do all of it, whose second factor was given just now. */
  call: Call,
  /** The same person with a second factor for each operation. */
  confirming: Call,
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
      address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      ownership: 'SELF_CUSTODY',
      holderName: 'Loja Azul Ltda',
      holderDocument: '11.222.333/0001-81',
    },
  })
  await does(call, { operation: 'getWallet', title: 'Cooling off', id: wallet.id })
  await does(call, { operation: 'listWallets', title: 'All that are left', query: { active: 'true' } })
  await does(call, { operation: 'removeWallet', title: 'Not used any more', id: wallet.id })
}
