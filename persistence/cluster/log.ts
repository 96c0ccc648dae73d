/** Where a cluster reports what operators should know. */
export type ClusterLog = {
  readonly info: ClusterLine
  readonly warn: ClusterLine
  readonly error: ClusterLine
}

type ClusterLine = (details: object, message: string) => void
