# Nix: nix-build contrib/packaging
{ pkgs ? import <nixpkgs> { } }:

pkgs.swift.stdenv.mkDerivation {
  pname = "todayd";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = with pkgs; [ swift swiftpm pkg-config lowdown ];
  # todayctl is linked statically.
  buildInputs = with pkgs; [ systemd sqlite curl libmicrohttpd glibc.static ];

  postPatch = "patchShebangs contrib";
  dontConfigure = true;
  buildPhase = "contrib/build programs";
  installPhase = ''
    DESTDIR=$PWD/tree TODAY_PROGRAMS=programs contrib/install --prefix $out --fleet --kit
    mkdir -p $out
    cp -r tree$out/. $out
    # systemd and polkit look for these in the profile of the system.
    mkdir -p $out/lib/systemd $out/share/polkit-1
    cp -r tree/etc/systemd/. $out/lib/systemd
    cp -r tree/usr/share/polkit-1/. $out/share/polkit-1
    rm $out/share/todayd/installed
  '';

  meta = {
    description = "Run widgets once, keep the last good answer, show it everywhere";
    homepage = "https://todayd.org";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
  };
}
