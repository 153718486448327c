/**
 * Countries with several clocks: of each zone, the leading digits after the calling code that may ring there. A
 * number is in every zone that lists its longest match. `*` is the country itself: numbers whose digits name no
 * place (mobile, toll-free) may ring in any zone that has it, and so may area codes that straddle a border.
 */
export interface Areas {
  readonly code: string;
  readonly zones: Readonly<Record<string, string>>;
}

export const AREAS: readonly Areas[] = [
  {
    code: '7',
    zones: {
      'Europe/Kaliningrad': '* 401',
      'Europe/Moscow': '* 365 47 48 49 81 82 83 841 843 844 847 855 86 87',
      'Europe/Samara': '* 341 842 845 846 848 851',
      'Asia/Yekaterinburg': '* 342 343 345 346 347 349 35',
      'Asia/Omsk': '* 381',
      'Asia/Krasnoyarsk': '* 382 383 384 385 388 39',
      'Asia/Irkutsk': '* 301 395',
      'Asia/Yakutsk': '* 302 411 416',
      'Asia/Vladivostok': '* 411 421 423 426',
      'Asia/Magadan': '* 411 413 424',
      'Asia/Kamchatka': '* 415 427',
      'Asia/Almaty': '* 6 7',
    },
  },
  {
    code: '34',
    zones: {
      'Europe/Madrid': '* 8 9 800 900 901 902',
      'Atlantic/Canary': '* 800 822 827 828 900 901 902 922 928',
    },
  },
  {
    code: '52',
    zones: {
      'America/Mexico_City':
        '* 1 6 618 649 671 674 675 676 677 862 867 868 873 877 878 891 892 894 897 899 322 329',
      'America/Matamoros': '862 867 868 873 877 878 891 892 894 897 899',
      'America/Chihuahua': '6 614 621 625 626 627 628 629 635 636 639 648 649 652 659',
      'America/Ojinaga': '626',
      'America/Ciudad_Juarez': '6 636 656 657',
      'America/Mazatlan':
        '6 311 319 320 323 324 325 327 389 612 613 615 624 667 668 669 672 673 687 694 695 696 697 698',
      'America/Hermosillo': '1 6 622 623 631 632 633 634 637 638 641 642 643 644 645 647 651 653 662',
      'America/Tijuana': '1 6 616 646 653 658 661 663 664 665 686',
      'America/Cancun': '1 983 984 987 998',
    },
  },
  {
    code: '55',
    zones: {
      'America/Noronha': '* 81',
      'America/Sao_Paulo': '* 1 2 3 4 5 61 62 63 64 7 81 82 83 84 85 86 87 88 89 91 93 94 96 98 99',
      'America/Cuiaba': '65 66 67',
      'America/Manaus': '* 69 92 95 97',
      'America/Rio_Branco': '* 68 97',
    },
  },
  {
    code: '56',
    zones: {
      'America/Santiago': '* 2 3 4 5 6 7 32',
      'America/Punta_Arenas': '* 61 67',
      'Pacific/Easter': '* 32',
    },
  },
  {
    code: '61',
    zones: {
      'Australia/Lord_Howe': '* 255 265',
      'Australia/Sydney': '* 2 255 265 755 756',
      'Australia/Melbourne': '* 3',
      'Australia/Brisbane': '* 7 755 756',
      'Australia/Adelaide': '* 8 87 88',
      'Australia/Darwin': '* 8 879 889',
      'Australia/Eucla': '* 8 89039',
      'Australia/Perth': '* 8 86 89 89039',
      'Indian/Christmas': '* 8 89164',
      'Indian/Cocos': '* 8 89162',
    },
  },
  {
    code: '62',
    zones: {
      'Asia/Jakarta': '* 2 31 32 33 34 35 513 515 519 522 525 528 53 56 6 7',
      'Asia/Makassar': '* 36 37 38 4 511 512 517 518 526 527 54 55',
      'Asia/Jayapura': '* 9',
    },
  },
  { code: '64', zones: { 'Pacific/Auckland': '* 3 4 6 7 9', 'Pacific/Chatham': '* 3305' } },
  { code: '243', zones: { 'Africa/Kinshasa': '* 1 3', 'Africa/Lubumbashi': '* 2' } },
  { code: '262', zones: { 'Indian/Reunion': '* 262 263 692 693', 'Indian/Mayotte': '* 269 270 639' } },
  {
    code: '299',
    zones: {
      'America/Nuuk': '*',
      'America/Scoresbysund': '*',
      'America/Danmarkshavn': '*',
      'America/Thule': '*',
    },
  },
  {
    code: '351',
    zones: {
      'Europe/Lisbon': '* 2',
      'Atlantic/Madeira': '* 291',
      'Atlantic/Azores': '* 292 295 296',
    },
  },
  { code: '500', zones: { 'Atlantic/Stanley': '*', 'Atlantic/South_Georgia': '*' } },
  { code: '593', zones: { 'America/Guayaquil': '* 2 3 4 5 6 7', 'Pacific/Galapagos': '* 5' } },
  {
    code: '672',
    zones: {
      'Pacific/Norfolk': '* 3',
      'Antarctica/Macquarie': '* 1',
      'Antarctica/Casey': '* 1',
      'Antarctica/Davis': '* 1',
      'Antarctica/Mawson': '* 1',
    },
  },
  { code: '675', zones: { 'Pacific/Port_Moresby': '*', 'Pacific/Bougainville': '*' } },
  { code: '686', zones: { 'Pacific/Tarawa': '*', 'Pacific/Kanton': '*', 'Pacific/Kiritimati': '*' } },
  { code: '689', zones: { 'Pacific/Tahiti': '*', 'Pacific/Marquesas': '*', 'Pacific/Gambier': '*' } },
  { code: '691', zones: { 'Pacific/Chuuk': '*', 'Pacific/Pohnpei': '*' } },
  { code: '976', zones: { 'Asia/Ulaanbaatar': '* 11 21', 'Asia/Hovd': '*' } },
];
