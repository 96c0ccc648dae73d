import type { Schemas } from '../core/api.ts'
import { t } from '../core/language.ts'
import { Choice, type FormState } from './form.tsx'

type Asset = Schemas['Asset']
type Network = Schemas['Network']

/** The networks that carry each stablecoin. */
const networksOf = {
  USDT: ['TRON', 'ETHEREUM', 'POLYGON'],
  USDC: ['ETHEREUM', 'POLYGON', 'BASE', 'SOLANA'],
} as const satisfies Record<Asset, readonly Network[]>

const networkNames = {
  TRON: 'TRON',
  ETHEREUM: 'Ethereum',
  POLYGON: 'Polygon',
  BASE: 'Base',
  SOLANA: 'Solana',
} as const satisfies Record<Network, string>

/** An asset and its network, as people say them. */
export const assetText = ({ asset, network }: { asset: Asset; network: Network }): string =>
  `${asset} · ${networkNames[network]}`

/** The choice of an asset on a network: one field, so that only existing pairs can be chosen. */
export const AssetField = ({ form, hint }: { form: FormState; hint?: string }) => (
  <Choice
    form={form}
    name="coin"
    label={t.crypto.asset}
    hint={hint}
    of={Object.entries(networksOf).flatMap(([asset, networks]) =>
      networks.map(
        (network) => [`${asset} ${network}`, assetText({ asset: asset as Asset, network })] as const,
      ),
    )}
  />
)

/** The value with which `AssetField` begins. */
export const firstCoin = 'USDT TRON'

/** The asset and network that `AssetField` holds. */
export const coinOf = (values: Readonly<Record<string, string>>): { asset: Asset; network: Network } => {
  const [asset, network] = (values.coin ?? firstCoin).split(' ')
  return { asset: asset as Asset, network: network as Network }
}
