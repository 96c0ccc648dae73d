import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Coded, codedFor } from '../api/encoding.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'

/** The scripts and styles of the pages where payers pay. */
export const assetNames = ['page.js', 'styles.css', 'tokenizer.js', 'tokenizer.css', 'embed.js'] as const
export type PageAsset = (typeof assetNames)[number]

/** Where the build puts them: beside the compiled code, both in the repository and in the package. */
const folder = join(import.meta.dirname, '../payment-pages')

/** The name with a hash of the content, by the name without. */
let names: Readonly<Record<PageAsset, string>> | null = null
const hashedNames = (): Readonly<Record<PageAsset, string>> => {
  names ??= JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<PageAsset, string>
  return names
}

/** Whether the pages were built. */
export const pagesAreBuilt = (): boolean => existsSync(join(folder, 'manifest.json'))

/** The path of an asset, which changes with its content. */
export const assetPath = (name: PageAsset): string => `${assetsPath}${hashedNames()[name]}`

/** Its bytes, as the build made them. */
export const assetFile = (name: PageAsset): Buffer => readFileSync(join(folder, hashedNames()[name]))

const assetsPath = '/assets/'

type Asset = { readonly type: string; readonly coded: Coded }
const assets = new Map<string, Asset>()

/** Serves an asset, packed by the build; null where the path is of none. */
export const assetAt = ({ path, headers }: Pick<HttpRequest, 'path' | 'headers'>): HttpResponse | null => {
  if (!path.startsWith(assetsPath)) return null
  const name = path.slice(assetsPath.length)
  const asset = assets.get(name) ?? readAsset(name)
  if (asset === null) return null
  return codedFor(headers['accept-encoding'], asset.coded, (body) => ({
    status: 200,
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      // Merchants' pages load the script that embeds by its hash, and the card's frame has an origin of its own.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body,
  }))
}

const readAsset = (name: string): Asset | null => {
  if (!Object.values(hashedNames()).includes(name)) return null
  const read = (suffix: string) => readFileSync(join(folder, `${name}${suffix}`))
  const plain = read('')
  const asset = {
    type: `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
    coded: { br: read('.br'), gzip: read('.gz'), plain: () => plain },
  }
  assets.set(name, asset)
  return asset
}
