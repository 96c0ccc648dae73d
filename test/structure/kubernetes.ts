import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { StatefulSet } from 'kubernetes-models/apps/v1'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'

const root = resolve(import.meta.dirname, '../../..')

/** An object of a manifest, as `kubectl apply` reads it. */
export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** The objects of a manifest below `docs/cluster/kubernetes/`. YAML 1.2, of which kubectl reads numbers otherwise only with a leading zero. */
export const manifestsIn = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(root, 'docs/cluster/kubernetes', file), 'utf8')).map((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Manifest
  })

/** What Kubernetes' own schemas say against the values of an object; null if nothing. */
export const valuesRefused = async (manifest: Manifest): Promise<string | null> => {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
    string,
    typeof StatefulSet
  >
  const model = models[manifest.kind]
  if (model === undefined) return `there is no ${manifest.kind} in ${manifest.apiVersion}`
  try {
    new model(manifest as ConstructorParameters<typeof StatefulSet>[0]).validate()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * The fields that Kubernetes does not know, at any depth, each as a message. Its schemas let them pass and its API server refuses
 * them; the types that are made from the same schemas do as well.
 */
export const unknownFields = (manifests: readonly Manifest[]): string[] => {
  const file = join(root, 'test/structure/kubernetes.manifests.ts')
  const text = manifests
    .map(
      (manifest, n) =>
        `import type { I${manifest.kind} as T${n} } from 'kubernetes-models/${manifest.apiVersion}'\nexport const v${n}: T${n} = ${JSON.stringify(manifest, null, 1)}\n`,
    )
    .join('')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, version, ...more) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version, ...more)
  const program = ts.createProgram([file], options, host)
  return program
    .getSemanticDiagnostics()
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
