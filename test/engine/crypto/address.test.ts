import t from 'tap'
import { checksummed, isAddressOf } from '../../../engine/crypto/address.ts'
import { keccak256 } from '../../../engine/crypto/keccak.ts'
import { chainNetworks, decimalOf, readDecimal, shortDecimalOf } from '../../../engine/shared/asset.ts'
import { base58, readBase58 } from '../../../engine/shared/base58.ts'
import { providers } from '../../../gateway/providers/index.ts'
import { askDirectly } from '../world.ts'

const chain = providers.SANDBOX.CRYPTO!.instance

t.test('Keccak-256 gives the published hashes', async (t) => {
  t.equal(keccak256(''), 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  t.equal(keccak256('abc'), '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45')
  t.equal(keccak256('testing'), '5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02')
  t.throws(() => keccak256('x'.repeat(136)))
})

t.test('Base58 gives what is published, and back', async (t) => {
  t.equal(base58(Buffer.from('Hello World!')), '2NEpo7TZRRrLZSi2U')
  t.equal(base58(Buffer.from('0000287fb4cd', 'hex')), '11233QC4')
  t.strictSame(Buffer.from(readBase58('11233QC4')!).toString('hex'), '0000287fb4cd')
  for (const text of ['0', 'O', 'I', 'l', 'é']) t.equal(readBase58(text), null)
})

/** The examples of EIP-55. */
const ethereum = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

t.test('addresses of Ethereum have the checksum of EIP-55 where they have capitals', async (t) => {
  for (const address of ethereum) {
    for (const network of ['ETHEREUM', 'POLYGON', 'BASE'] as const)
      t.ok(isAddressOf(network, address), address)
    t.ok(isAddressOf('ETHEREUM', address.toLowerCase()))
    t.ok(isAddressOf('ETHEREUM', `0x${address.slice(2).toUpperCase()}`))
    t.equal(checksummed(address.toLowerCase()).toLowerCase(), address.toLowerCase())
  }
  for (const address of ethereum.slice(4)) t.equal(checksummed(address), address)
  t.notOk(isAddressOf('ETHEREUM', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'one letter is small')
  t.notOk(isAddressOf('ETHEREUM', ethereum[0]!.slice(0, -1)))
  t.notOk(isAddressOf('ETHEREUM', ethereum[0]!.slice(2)))
  t.notOk(isAddressOf('ETHEREUM', `${ethereum[0]}0`))
})

t.test('addresses of TRON have the checksum of Base58Check', async (t) => {
  for (const address of ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'])
    t.ok(isAddressOf('TRON', address), address)
  t.notOk(isAddressOf('TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'))
  t.notOk(isAddressOf('TRON', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'), 'an address of Bitcoin')
  t.notOk(isAddressOf('TRON', ethereum[0]!))
})

t.test('addresses of Solana have 32 bytes', async (t) => {
  t.ok(isAddressOf('SOLANA', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'))
  t.ok(isAddressOf('SOLANA', '11111111111111111111111111111111'))
  t.notOk(isAddressOf('SOLANA', '1111111111111111111111111111111'))
  t.notOk(isAddressOf('SOLANA', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10'))
  t.notOk(isAddressOf('SOLANA', '1'.repeat(1_000_000)))
})

t.test('what the Sandbox opens is an address of its network, the same each time', async (t) => {
  for (const network of chainNetworks) {
    const ask = () =>
      askDirectly(chain, {
        operation: 'OPEN_ADDRESS',
        reference: `txn_1.${network}`,
        accountId: 'cmp_1/SANDBOX',
        metadata: {},
        card: null,
        amountCents: 1_500_000,
        crypto: { network, asset: 'USDC', watchedUntilMs: 0 },
      } as never) as Promise<{ readonly type: string; readonly address: string; readonly uri: string }>
    const { type, address, uri } = await ask()
    t.equal(type, 'OPENED')
    t.ok(isAddressOf(network, address), address)
    t.equal(uri, `sandbox:${network.toLowerCase()}/USDC/${address}?amount=1.500000`)
    t.strictSame(await ask(), { type, address, uri })
  }
})

t.test('millionths are written and read as decimal numbers', async (t) => {
  t.strictSame([0, 1, 999_999, 18_450_000, 10_000_001].map(decimalOf), [
    '0.000000',
    '0.000001',
    '0.999999',
    '18.450000',
    '10.000001',
  ])
  t.strictSame([5_400_000, 5_000_000, 5_346_001, 10_000_000].map(shortDecimalOf), [
    '5.4',
    '5',
    '5.346001',
    '10',
  ])
  t.strictSame(
    ['18.45', '0.000001', '7', '999999999.999999'].map(readDecimal),
    [18_450_000, 1, 7_000_000, 999_999_999_999_999],
  )
  for (const text of ['', '.5', '5.', '05', '-1', '1e3', '1,5', '1.0000001', '1000000000', ' 1'])
    t.equal(readDecimal(text), null, text)
})
