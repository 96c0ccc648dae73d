#!/bin/sh
# Makes what the machines of a cluster know each other by, in a folder of its own:
#
#   docs/cluster/secrets.sh FOLDER n1.example.net n2.example.net n3.example.net
#
# authority.pem, authority.key   a certificate authority; its key is needed for further machines only, so keep it elsewhere
# n1.example.net.pem, .key       of that machine: its NATS server and its node show it to whom they speak
# n1.example.net.seed            the nkey by which the node of that machine is known to NATS
# nkeys.conf                     the public parts of these nkeys, for the configuration of the servers
# master.key                     seals webhook secrets; the same on every node
#
# Needs openssl, and this project after `npm ci`. Files that are there are kept: further hosts can be added later.
set -eu
umask 077
[ $# -ge 2 ] || { echo "usage: $0 FOLDER HOST..." >&2; exit 1; }
project=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
shift
new_key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

[ -e master.key ] || head -c 32 /dev/urandom | base64 > master.key
[ -e authority.pem ] ||
  openssl req -x509 $new_key -keyout authority.key -out authority.pem -days 3650 -subj '/CN=payments cluster' 2> openssl.log

nkey() {
  cd "$project"
  node --input-type=module -e "import { nkeys } from '@nats-io/transport-node'
const user = nkeys.createUser()
console.log(user.getPublicKey(), Buffer.from(user.getSeed()).toString())"
}

number=0
for host; do
  number=$((number + 1))
  if [ ! -e "$host.pem" ]; then
    openssl req $new_key -keyout "$host.key" -out request.csr -subj "/CN=$host" 2>> openssl.log
    # Servers are clients of each other. The loopback is for tools on the machine itself.
    printf 'subjectAltName=DNS:%s,DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth\n' "$host" > extensions
    openssl x509 -req -in request.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 3650 \
      -extfile extensions -out "$host.pem" 2>> openssl.log
  fi
  if [ ! -e "$host.seed" ]; then
    pair=$(nkey)
    echo "${pair#* }" > "$host.seed"
    echo "NODE_$number: ${pair% *} # $host" >> nkeys.conf
  fi
done
rm -f request.csr extensions openssl.log authority.srl
