import t from 'tap'
import { isAddressOf, isPayableAddress, tronAddress } from '../../../engine/crypto/address.ts'
import { newTxHash } from '../../../engine/payments/methods/crypto/tx-hash.ts'
import { chainNetworks, type Network } from '../../../engine/shared/asset.ts'
import { base58, readBase58 } from '../../../engine/shared/base58.ts'
import { providers } from '../../../gateway/providers/index.ts'
import { askDirectly } from '../world.ts'

const chain = providers.SANDBOX.CRYPTO!.instance

const zeros = (end: string): string => `0x${end.padStart(40, '0')}`
const kin: readonly Network[] = ['ETHEREUM', 'POLYGON', 'BASE']

/** Well-formed addresses that swallow what they get. */
const swallowing: readonly (readonly [readonly Network[], readonly string[]])[] = [
  [
    kin,
    [
      zeros(''),
      zeros('1'),
      zeros('9'),
      zeros('dEaD'),
      zeros('dead'),
      `0x${'f'.repeat(40)}`,
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      '0xdac17f958d2ee523a2206206994597c13d831ec7',
      '0xDAC17F958D2EE523A2206206994597C13D831EC7'.replace('0XD', '0xD'),
      '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
    ],
  ],
  [
    ['TRON'],
    [
      'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
      tronAddress(new Uint8Array(20)),
      'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
    ],
  ],
  [
    ['SOLANA'],
    [
      '11111111111111111111111111111111',
      '1nc1nerator11111111111111111111111111111111',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    ],
  ],
]

t.test(
  'nothing is sent where nobody can spend it: zero, burnt, or the contract of a stablecoin',
  async (t) => {
    for (const [networks, addresses] of swallowing)
      for (const network of networks)
        for (const address of addresses) {
          t.ok(isAddressOf(network, address), `${address} is well formed on ${network}`)
          t.notOk(isPayableAddress(network, address), `${address} on ${network}`)
        }
  },
)

t.test(
  'an address that only ends like one of them is as good as any: the Sandbox goes by ends',
  async (t) => {
    for (const end of ['dead', 'beef', 'dEaD'.toLowerCase()])
      for (const network of kin) t.ok(isPayableAddress(network, `0x${end.padStart(40, '1')}`))
    for (const network of kin) t.ok(isPayableAddress(network, zeros('cafe')))
    t.ok(isPayableAddress('TRON', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'))
    t.ok(isPayableAddress('TRON', tronAddress(new Uint8Array(20).fill(1))))
    t.ok(isPayableAddress('SOLANA', base58(new Uint8Array(32).fill(1))))
  },
)

t.test('transfers have ids as their networks write them', async (t) => {
  const forms: Readonly<Record<Network, RegExp>> = {
    TRON: /^[0-9a-f]{64}$/,
    ETHEREUM: /^0x[0-9a-f]{64}$/,
    POLYGON: /^0x[0-9a-f]{64}$/,
    BASE: /^0x[0-9a-f]{64}$/,
    SOLANA: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
  }
  let state = 1
  const entropy = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0)
  for (const network of chainNetworks) {
    const made = newTxHash(network, entropy)
    const sent: any = await askDirectly(chain, {
      operation: 'SEND',
      rail: 'CRYPTO',
      network,
      address: 'x',
      reference: 'wdr_1',
      metadata: {},
      accountId: 'cmp_00000000000000000000000001/SANDBOX',
      openedAtMs: 0,
      nowMs: 0,
    } as never)
    for (const txHash of [made, sent.txHash]) {
      t.match(txHash, forms[network], network)
      if (network === 'SOLANA') t.equal(readBase58(txHash)!.length, 64, 'a signature has 64 bytes')
    }
  }
})
